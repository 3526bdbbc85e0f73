/** End (exclusive) of the JSON object or array that starts at `start`, or -1 when it does not close. */
export function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = endOfString(text, i);
        if (i < 0) return -1;
        break;
      case 0x7b:
      case 0x5b:
        depth++;
        break;
      case 0x7d:
      case 0x5d:
        if (--depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Index of the closing quote of the string that opens at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x5c) i++;
    else if (char === 0x22) return i;
  }
  return -1;
}

/** Valid JSON and nothing else: it is echoed and parsed without another look. */
const LITERAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON names this range
  /\s*:\s*("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*[,}])|null)/uy;

/**
 * Raw text of the top-level `id` member, without parsing the rest: for messages that are too large,
 * too deep or cut off, and for integers that a JavaScript number cannot hold.
 */
export function findRawId(text: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = endOfString(text, i);
        if (end < 0) return found;
        if (depth === 1 && end - i === 3 && text.startsWith('"id"', i)) {
          LITERAL.lastIndex = end + 1;
          found = LITERAL.exec(text)?.[1] ?? found;
        }
        i = end;
        break;
      }
      case 0x5b:
        if (depth === 0) return undefined;
        depth++;
        break;
      case 0x7b:
        depth++;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
    }
  }
  return found;
}

/** Source texts of the elements of a JSON array. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) {
      i = endOfString(text, i);
      if (i < 0) break;
    } else if (char === 0x7b || char === 0x5b) {
      if (++depth === 1) start = i + 1;
    } else if (char === 0x2c && depth === 1) {
      elements.push(text.slice(start, i));
      start = i + 1;
    } else if ((char === 0x7d || char === 0x5d) && --depth === 0) {
      elements.push(text.slice(start, i));
      break;
    }
  }
  return elements;
}
