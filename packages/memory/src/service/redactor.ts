import type * as wireRedactor from 'tincan-wire/redact';

/** The redactor of tap, memory and answer. */
export type Redactor = typeof wireRedactor;

let loaded: Redactor | undefined;

/** The redactor, loaded with the first text that is written: reading needs none. */
export async function loadRedactor(): Promise<Redactor> {
  loaded ??= await import('tincan-wire/redact');
  return loaded;
}
