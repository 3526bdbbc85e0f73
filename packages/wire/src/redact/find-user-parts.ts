import { isPlaceholder, isRandom } from './plausible.ts';
import type { Scan } from './scan.ts';

const USER_PART = /([^\s/:@"'`<>]{0,200}):([^\s/@"'`<>]{1,300})@/y;
const LONE_USER = /([0-9A-Za-z_%~.-]{16,300})@/y;

/** The password in `scheme://user:password@host`, or a key that stands for the user. */
export function findUserParts(scan: Scan): void {
  const { text } = scan;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    const sign = scan.next('@', from);
    if (sign === Number.POSITIVE_INFINITY) return;
    // A slash before the sign ends the part.
    if (sign - from > 502 || scan.next('/', from) < sign) continue;
    USER_PART.lastIndex = from;
    const password = USER_PART.exec(text)?.[2];
    if (password !== undefined) {
      const end = USER_PART.lastIndex - 1;
      if (!isPlaceholder(password) || password === 'pass') {
        scan.add(end - password.length, end, 'url-password');
      }
      continue;
    }
    LONE_USER.lastIndex = from;
    const user = LONE_USER.exec(text)?.[1];
    if (user !== undefined && isRandom(user, 16)) {
      scan.add(from, from + user.length, 'url-password');
    }
  }
}
