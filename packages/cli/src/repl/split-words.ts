import { usageError } from '../command/cli-error.ts';

/** Words of a line, as a shell would split it: quotes keep blanks, a backslash keeps what follows. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isOpen = false;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(line[i + 1] ?? '')) {
        word += line[++i] ?? '';
      } else word += character;
    } else if ((character === '"' && isQuoteHere(word)) || character === "'") {
      quote = character;
      isOpen = true;
    } else if (character === '\\' && i + 1 < line.length) {
      word += line[++i] ?? '';
      isOpen = true;
    } else if (/\s/.test(character)) {
      if (isOpen) words.push(word);
      word = '';
      isOpen = false;
    } else {
      word += character;
      isOpen = true;
    }
  }
  if (quote !== '') throw usageError(`expected a closing ${quote}`);
  return isOpen ? [...words, word] : words;
}

/** Inside JSON, as in `{"a":1}` and `key:="text"`, a double quote is itself. */
function isQuoteHere(word: string): boolean {
  return !/^(?:[{[]|[^=]*:=)/.test(word);
}
