/**
 * Characters that a reader does not see and a terminal or model obeys: controls, line separators, zero-width
 * characters, bidi controls, tags and the supplementary variation selectors.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Joiners shape emoji and some scripts. Behind ASCII or another joiner they only hide something. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant as a whole
const LOOSE_JOINER = /(?<=^|[\u0000-\u007F\u200C\u200D])[\u200C\u200D]/gu;

/** A text in which every hidden character is spelt out, as `\x1b` or `\u200b`. */
export function visibleText(text: string): string {
  return replaceHidden(text, (code) =>
    code < 0x100
      ? `\\x${hex(code, 2)}`
      : code > 0xffff
        ? `\\u{${hex(code)}}`
        : `\\u${hex(code, 4)}`,
  );
}

/** JSON in which hidden characters are escaped: it parses to the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return replaceHidden(JSON.stringify(value, null, indent), (_, character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${hex(character.charCodeAt(i), 4)}`,
    ).join(''),
  );
}

function replaceHidden(text: string, spell: (code: number, character: string) => string): string {
  const replace = (character: string): string => spell(character.codePointAt(0) ?? 0, character);
  return text.replace(HIDDEN, replace).replace(LOOSE_JOINER, replace);
}

function hex(code: number, digits = 1): string {
  return code.toString(16).padStart(digits, '0');
}
