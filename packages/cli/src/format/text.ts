// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
const ZERO = /^(?:\p{Mn}|\p{Me}|[\u200B-\u200C]|\u200D|\uFE0F)$/u;

/** Text of a stranger, safe for a terminal: what would move the cursor or change colours is spelt out. */
export function printable(text: string): string {
  return text.replace(
    CONTROL,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Columns a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Cuts a text to a width, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  // Most of a long text would be measured in vain.
  const head = text.length > width * 2 ? text.slice(0, width * 2) : text;
  if (head === text && widthOf(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const character of head) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Fills a text with blanks up to a width. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** A JSON value on one line, for a list. */
export function preview(value: unknown, width: number): string {
  if (value === undefined) return '';
  return cut(printable(JSON.stringify(value) ?? String(value)), width);
}

/** Breaks running text into lines of a width. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
