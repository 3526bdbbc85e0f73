import { visibleText } from '../../visible-text.ts';

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]|\uFE0F/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** The first `count` characters as a reader counts them, and whether that was all. */
export function takeGraphemes(
  text: string,
  count: number,
): { readonly head: string; readonly isWhole: boolean } {
  let end = 0;
  let taken = 0;
  for (const { index, segment } of graphemesOf(text)) {
    if (taken === count) return { head: text.slice(0, end), isWhole: false };
    taken += 1;
    end = index + segment.length;
  }
  return { head: text, isWhole: true };
}

/** Columns a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a width, with an ellipsis where something is missing. */
export function fit(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const { index, segment } of graphemesOf(text)) {
    used += graphemeWidth(segment);
    if (used > width) return `${text.slice(0, end)}…`;
    if (used <= width - 1) end = index + segment.length;
  }
  return text;
}

/** Text of a note, safe for a terminal: what would move the cursor, turn, colour or hide is spelt out. */
export function printable(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n').replaceAll('\t', '  '));
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/gu, ' ').trim());
}

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Made at the first use: it is not small, and most commands print little. */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
