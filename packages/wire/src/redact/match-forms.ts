import { codeAt } from './characters.ts';
import { type Form, type FormTable, formTable } from './compile-forms.ts';
import { hasMixedPart, isPlaceholder } from './plausible.ts';
import type { Scan } from './scan.ts';

/** The end of the key that a run begins, or 0. The run's length rules most forms out. */
export function matchForms(scan: Scan, start: number, end: number): number {
  const table = formTable();
  const found = tryForms(scan, start, end, table);
  if (found > 0) return found;
  const before = codeAt(scan.text, start - 1);
  // After `\n` in a quoted text, or `%3D` in a URL, a key begins in the middle of a run.
  if (before === 92 && end - start > 3 && isEscaped(codeAt(scan.text, start))) {
    return tryForms(scan, start + 1, end, table);
  }
  return before === 37 ? tryForms(scan, start + 2, end, table) : 0;
}

/** `n`, `r` and `t`. */
function isEscaped(code: number): boolean {
  return code === 110 || code === 114 || code === 116;
}

function tryForms(scan: Scan, start: number, end: number, table: FormTable): number {
  const { text } = scan;
  const first = codeAt(text, start);
  const second = codeAt(text, start + 1);
  if (!(first < 128 && second < 128)) return 0;
  const pair = (first << 7) | second;
  const least = table.leastRun[pair] ?? 0;
  if (least === 0 || end - start < least) return 0;
  for (const form of table.forms.get(pair) ?? []) {
    const { prefix, masksPrefix, rest, leastRun, kind } = form;
    if (end - start < leastRun || !text.startsWith(prefix, start)) continue;
    const from = start + prefix.length;
    rest.lastIndex = from;
    if (!rest.test(text)) continue;
    const last = rest.lastIndex;
    if (!isKeyBody(text.slice(from, last), form)) continue;
    scan.add(masksPrefix ? start : from, last, kind);
    return last;
  }
  return 0;
}

/** Whether what follows a prefix is random enough for a key, and not `xxxx` or words. */
function isKeyBody(body: string, { prefix }: Form): boolean {
  // Services repeat a key with its middle masked: what is left of it still tells.
  if (prefix === 'sk-' && body.includes('***')) return /\w/.test(body);
  if (isPlaceholder(body)) return false;
  // `sk-` and single letters begin many things.
  if (prefix === 'sk-') return hasMixedPart(body, body.length < 20 ? 6 : 8);
  if (prefix.length < 3) return hasMixedPart(body, 5);
  if (/\d/.test(body.slice(0, 400)) || body.length >= 30) return true;
  // Letters of both cases in no order of words, after a prefix that is no word.
  return prefix.length > 4 && /[a-z][A-Z].*[a-z][A-Z]/.test(body);
}
