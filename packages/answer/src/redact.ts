import { MASK, redactText, redactValue } from 'tincan-wire/redact';

/** Masks every secret that the redactor of wire finds, and the given ones whatever their form. */
export function redact(text: string, secrets: readonly string[] = []): string {
  return redactText(withoutKnown(text, secrets));
}

/** The same for a text that is JSON, or a stream of events that hold JSON: it stays one that can be read. */
export function redactBody(body: string, secrets: readonly string[] = []): string {
  return withoutKnown(body, secrets)
    .split('\n')
    .map((line) => {
      const [, field = '', json = line] = /^(data:\s?)(.*)$/.exec(line) ?? [];
      return field + redactJson(json);
    })
    .join('\n');
}

/** A line without a secret stays as it is, byte for byte. */
function redactJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON, or a part of it: running text.
    return redactText(text);
  }
  const clean = JSON.stringify(redactValue(value));
  return clean === JSON.stringify(value) ? text : clean;
}

function withoutKnown(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    // A very short secret would blot out ordinary words.
    if (secret.length >= 6) clean = clean.replaceAll(secret, MASK);
  }
  return clean;
}
