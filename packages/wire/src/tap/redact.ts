export { redactText } from '../redact/redact-text.ts';
export { redactValue } from '../redact/redact-value.ts';
