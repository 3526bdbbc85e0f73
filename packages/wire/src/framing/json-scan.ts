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

/**
 * Raw text of the top-level `id` member, without parsing the rest: for messages that are too large,
 * too deep or cut off, and for integers that a JavaScript number cannot hold.
 */
export function findRawId(text: string): string | undefined {
  return lastMember(text, 0, ID)?.literal;
}

/** Raw text of a member of the top-level `params`, for ids that a JavaScript number cannot hold. */
export function findRawParam(text: string, name: string): string | undefined {
  const params = lastMember(text, 0, PARAMS);
  return params && lastMember(text, params.start, JSON.stringify(name))?.literal;
}

const ID = '"id"';
const PARAMS = '"params"';

interface Member {
  /** Where the value starts. */
  readonly start: number;
  /** Text of the value, if it is a string, a number or null. */
  readonly literal: string | undefined;
}

/**
 * The last member with this quoted name of the object that starts at `from`: of duplicates JSON.parse takes
 * the last. A member whose value is not valid JSON does not count.
 */
function lastMember(text: string, from: number, quoted: string): Member | undefined {
  let depth = 0;
  let found: Member | undefined;
  for (let i = from; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = endOfString(text, i);
        if (end < 0) return found;
        const isNamed = depth === 1 && end - i === quoted.length - 1 && text.startsWith(quoted, i);
        if (isNamed) found = memberAt(text, end + 1) ?? found;
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
        if (--depth === 0) return found;
    }
  }
  return found;
}

function memberAt(text: string, afterName: number): Member | undefined {
  const colon = skipBlanks(text, afterName);
  if (text.charCodeAt(colon) !== 0x3a) return undefined;
  const start = skipBlanks(text, colon + 1);
  const char = text.charCodeAt(start);
  if (char === 0x7b || char === 0x5b) return { start, literal: undefined };
  const end = endOfLiteral(text, start, char);
  return end < 0 ? undefined : { start, literal: text.slice(start, end) };
}

/** End (exclusive) of a valid string, number or null: it is echoed and parsed without another look. */
function endOfLiteral(text: string, start: number, char: number): number {
  if (char === 0x22) {
    const end = endOfString(text, start) + 1;
    return end > 0 && isValidString(text, start + 1, end - 1) ? end : -1;
  }
  if (text.startsWith('null', start)) return start + 4;
  return endOfNumber(text, start);
}

/** Whether what is between two quotes has no raw control character and no unknown escape. */
function isValidString(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const char = text.charCodeAt(i);
    if (char < 0x20) return false;
    if (char !== 0x5c) continue;
    i++;
    if (text[i] === 'u') {
      const digits = text.slice(i + 1, i + 5);
      if (!/^[\da-fA-F]{4}$/.test(digits)) return false;
      i += 4;
    } else if (!'"\\/bfnrt'.includes(text.charAt(i))) return false;
  }
  return true;
}

/** End (exclusive) of a JSON number with a comma or a bracket behind it; without, it may be cut off. */
function endOfNumber(text: string, start: number): number {
  let i = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  const whole = skipDigits(text, i);
  if (whole === i || (text.charCodeAt(i) === 0x30 && whole > i + 1)) return -1;
  i = whole;
  if (text.charCodeAt(i) === 0x2e) {
    const fraction = skipDigits(text, i + 1);
    if (fraction === i + 1) return -1;
    i = fraction;
  }
  if ((text.charCodeAt(i) | 0x20) === 0x65) {
    const sign = text.charCodeAt(i + 1);
    const first = sign === 0x2b || sign === 0x2d ? i + 2 : i + 1;
    const exponent = skipDigits(text, first);
    if (exponent === first) return -1;
    i = exponent;
  }
  const after = text.charCodeAt(skipBlanks(text, i));
  return after === 0x2c || after === 0x7d ? i : -1;
}

function skipDigits(text: string, start: number): number {
  let i = start;
  while (text.charCodeAt(i) >= 0x30 && text.charCodeAt(i) <= 0x39) i++;
  return i;
}

/** Index of the next character that is not JSON white space. */
function skipBlanks(text: string, start: number): number {
  let i = start;
  for (; ; i++) {
    const char = text.charCodeAt(i);
    if (char !== 0x20 && char !== 0x09 && char !== 0x0a && char !== 0x0d) return i;
  }
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
