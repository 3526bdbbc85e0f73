/** The code at a place, 0 outside of the text: V8 makes slow code of a `charCodeAt` that ever missed. */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Letters, digits, `_` and `-`: a run of these is tried as one word. */
export const IS_RUN: Uint8Array = tableOf(/[0-9A-Za-z_-]/);
/** What ends a value that stands without quotes. */
const ENDS_BARE: Uint8Array = tableOf(/[\s\\"'`<>|,;&(){}[\]]/);

function tableOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

export function isRunCode(code: number): boolean {
  return code < 128 && IS_RUN[code] === 1;
}

/** Codes of a name: a run, or the dot between two. */
export function isNameCode(code: number): boolean {
  return code === 46 || isRunCode(code);
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** The end of spaces that begin here, at most so many. */
export function skipSpaces(text: string, at: number, most: number): number {
  let end = at;
  while (end - at < most && isSpace(codeAt(text, end))) end += 1;
  return end;
}

/** Where a bare value ends: at white space, quotes, brackets, and what separates it from a next one. */
export function bareEnd(text: string, start: number, most: number): number {
  const limit = Math.min(text.length, start + most);
  let end = start;
  while (end < limit && !endsBare(text.charCodeAt(end))) end += 1;
  return end;
}

function endsBare(code: number): boolean {
  if (code < 128) return ENDS_BARE[code] === 1;
  // 」 ” ’ 。 、 and wide spaces.
  return (
    code === 0x300d ||
    code === 0x201d ||
    code === 0x2019 ||
    code === 0x3002 ||
    code === 0x3001 ||
    isSpace(code)
  );
}
