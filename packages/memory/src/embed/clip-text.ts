/** Remote models take some 8,000 tokens; a longer text would fail the whole request. */
const MAX_TOKENS = 8_000;
const ASCII_TOKENS = 1 / 3;
const OTHER_TOKENS = 1.2;

/** The head of a text that surely fits a remote model, cut between characters. */
export function clipText(text: string): string {
  if (text.length * OTHER_TOKENS <= MAX_TOKENS) return text;
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += character <= '\x7f' ? ASCII_TOKENS : OTHER_TOKENS;
    if (tokens > MAX_TOKENS) break;
    end += character.length;
  }
  return text.slice(0, end);
}
