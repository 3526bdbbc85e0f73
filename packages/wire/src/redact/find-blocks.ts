import type { Scan } from './scan.ts';

const BEGIN = '-----BEGIN ';
const KEY_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const PUTTY = 'PuTTY-User-Key-File-';

/** Keys of many lines. One that is cut off is taken to the end of the text. */
export function findBlocks(scan: Scan): void {
  const { text } = scan;
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at + 1)) {
    if (scan.next('PRIVATE KEY', at) - at > 60) continue;
    KEY_HEAD.lastIndex = at;
    if (!KEY_HEAD.test(text)) continue;
    const tail = text.indexOf('-----END ', KEY_HEAD.lastIndex);
    const close = tail === -1 ? -1 : text.indexOf('-----', tail + 9);
    const end = close === -1 ? text.length : close + 5;
    scan.add(at, end, 'private-key');
    at = end - 1;
  }
  for (let at = text.indexOf(PUTTY); at !== -1; at = text.indexOf(PUTTY, at + 1)) {
    const mac = text.indexOf('Private-MAC: ', at);
    const end = mac === -1 ? text.length : Math.min(text.length, mac + 13 + 64);
    scan.add(at, end, 'private-key');
    at = end;
  }
}
