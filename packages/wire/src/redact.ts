export { findSecrets } from './redact/find-secrets.ts';
export { MASK, type Mask, redactText } from './redact/redact-text.ts';
export { isSecretMember, isSecretNumber, redactNamed, redactValue } from './redact/redact-value.ts';
export type { Span } from './redact/span.ts';
