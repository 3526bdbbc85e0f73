import { isAnchor, PAIRS } from './anchors.ts';
import { carrierAt } from './carriers.ts';
import { IS_RUN } from './characters.ts';
import { findBlocks } from './find-blocks.ts';
import { findForeign, findNamed } from './find-named.ts';
import { findUserParts } from './find-user-parts.ts';
import { findInner } from './inner-forms.ts';
import { matchForms } from './match-forms.ts';
import { Scan } from './scan.ts';
import type { Span } from './span.ts';

/**
 * The secrets in a text, in order and apart: by form, by what carries them, by the name beside them. One pass
 * over the characters finds the few words worth a closer look; only those meet a regular expression.
 */
export function findSecrets(text: string): readonly Span[] {
  if (text.length < 6) return [];
  const scan = new Scan(text);
  if (scanRuns(scan)) findForeign(scan);
  findUserParts(scan);
  findInner(scan);
  findBlocks(scan);
  const { found } = scan;
  return found.length < 2 ? found : apart(found);
}

/** Looks at every run of letters, digits, `_` and `-`; returns whether names of other scripts may be there. */
function scanRuns(scan: Scan): boolean {
  const { text } = scan;
  const { length } = text;
  let isForeign = false;
  let i = 0;
  while (i < length) {
    let code = text.charCodeAt(i);
    if (code >= 128 || IS_RUN[code] === 0) {
      if (code > 0x3ff || code === 0xf1) isForeign = true;
      i += 1;
      continue;
    }
    const start = i;
    let before = 0;
    let hasAnchor = false;
    do {
      const now = code & 31;
      const pair = PAIRS[(before << 5) | now] ?? 0;
      if (pair !== 0 && !hasAnchor) hasAnchor = isAnchor(text, i, pair);
      before = now;
      i += 1;
      code = i < length ? text.charCodeAt(i) : 128;
    } while (code < 128 && IS_RUN[code] === 1);
    const formEnd = matchForms(scan, start, i);
    if (formEnd > i) i = formEnd;
    if (formEnd > 0) continue;
    const find = carrierAt(text, start, i);
    if (find !== undefined) find(scan, start, i);
    else if (hasAnchor) findNamed(scan, start, i);
  }
  return isForeign;
}

/** Overlapping finds become one, of the more exact kind. */
function apart(found: readonly Span[]): readonly Span[] {
  if (isApart(found)) return found;
  const order = [...found].sort((a, b) => a.start - b.start);
  const result: Span[] = [];
  for (const span of order) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) {
      result.push(span);
      continue;
    }
    const kind = last.kind === 'named-secret' ? span.kind : last.kind;
    result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind };
  }
  return result;
}

function isApart(found: readonly Span[]): boolean {
  let end = 0;
  for (const span of found) {
    if (span.start < end) return false;
    end = span.end;
  }
  return true;
}
