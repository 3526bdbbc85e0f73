const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
const WRAPPED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A value as an HTTP header can carry it: itself, or base64 between marks. */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !WRAPPED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** The value a header carries; undefined when it is wrapped and broken. */
export function decodeHeaderValue(header: string): string | undefined {
  const value = header.trim();
  const encoded = WRAPPED.exec(value)?.[1];
  if (encoded === undefined) return value;
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
}
