import { CliError } from '../command/cli-error.ts';
import type { EditOptions } from './json-edit.ts';

const HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const KEY =
  /^\s*((?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'))*)\s*=\s*(.*)$/;

/**
 * Puts a table `[member.name]` into a TOML text, changing nothing else. A table that is there already with these
 * lines stays as it is. Throws when a line cannot be understood or the table differs.
 */
export function putTomlEntry(
  text: string,
  [member, name]: readonly [string, string],
  value: Readonly<Record<string, unknown>>,
  { force = false }: EditOptions = {},
): string {
  const block = renderTable([member, name], value);
  const lines = text === '' ? [] : text.split('\n');
  const existing = findTable(lines, `${member}.${name}`, member);
  if (existing === undefined) {
    const gap = text === '' ? '' : text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}${block}`;
  }
  if (lines.slice(existing.start, existing.end).join('\n').trim() === block.trim()) return text;
  if (!force) {
    throw new CliError(
      'BROKEN',
      `the table \`${member}.${name}\` exists already with other values; \`--force\` replaces it`,
    );
  }
  const before = lines.slice(0, existing.start).join('\n');
  const after = lines.slice(existing.end).join('\n');
  return `${before}${before === '' ? '' : '\n'}${block}${after.trim() === '' ? '' : `\n${after}`}`;
}

/** Takes the table `[member.name]`, and the tables in it, out of a TOML text. Changes nothing else. */
export function removeTomlEntry(text: string, [member, name]: readonly [string, string]): string {
  const lines = text === '' ? [] : text.split('\n');
  const existing = findTable(lines, `${member}.${name}`, member);
  if (existing === undefined) return text;
  const before = lines.slice(0, existing.start);
  const after = lines.slice(existing.end);
  if (after.join('').trim() !== '') return [...before, ...after].join('\n');
  // The blank line that was put in front of the table goes with it.
  while (before.length > 0 && before.at(-1)?.trim() === '') before.pop();
  return before.length === 0 ? '' : `${before.join('\n')}\n`;
}

/** Reads every line, and so knows that all of them were understood; finds the lines of a table. */
function findTable(
  lines: readonly string[],
  wanted: string,
  member: string,
): { readonly start: number; readonly end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  let table = '';
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').replace(/\r$/, '');
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const header = HEADER.exec(line);
    if (header?.[1] !== undefined) {
      table = plainName(header[1]);
      const isWanted = table === wanted || table.startsWith(`${wanted}.`);
      if (isWanted) found ??= { start: index, end: lines.length };
      else if (found !== undefined) found.end = Math.min(found.end, index);
      continue;
    }
    const [, key, rest] = KEY.exec(line) ?? [];
    if (key === undefined || rest === undefined) throw unreadable(index, line);
    const full = plainName(table === '' ? key : `${table}.${key}`);
    const isInTable = table === wanted || table.startsWith(`${wanted}.`);
    if (!isInTable && (full === member || full === wanted || full.startsWith(`${wanted}.`))) {
      const what = `line ${index + 1}: \`${full}\` is not written as a table of its own`;
      throw new CliError('BROKEN', `${what}; add the block by hand`);
    }
    index = endOfValue(lines, index, rest);
  }
  return found;
}

/** A dotted name without quotes and blanks. */
function plainName(name: string): string {
  return name.replace(/\s*\.\s*/g, '.').replace(/["']/g, '');
}

/** Index of the last line of a value that begins on line `index`. */
function endOfValue(lines: readonly string[], index: number, first: string): number {
  let open = 0;
  let text = first;
  for (let at = index; at < lines.length; at++) {
    if (at > index) text = lines[at] ?? '';
    const fence = openFence(text);
    if (fence !== undefined) {
      let last = at + 1;
      while (last < lines.length && !(lines[last] ?? '').includes(fence)) last++;
      if (last >= lines.length) throw unreadable(index, first);
      at = last;
      text = (lines[last] ?? '').slice((lines[last] ?? '').indexOf(fence) + 3);
    }
    const bare = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/, '');
    if (/["']/.test(bare)) throw unreadable(at, text);
    open += (bare.match(/[[{]/g) ?? []).length - (bare.match(/[\]}]/g) ?? []).length;
    if (open <= 0) return at;
  }
  throw unreadable(index, first);
}

/** The quotes of a multi-line string that begins here and does not end here. */
function openFence(text: string): string | undefined {
  const match = /("""|''')/.exec(text);
  const fence = match?.[1];
  if (match === null || fence === undefined) return undefined;
  return text.indexOf(fence, match.index + 3) < 0 ? fence : undefined;
}

function unreadable(index: number, line: string): CliError {
  return new CliError(
    'BROKEN',
    `line ${index + 1}: expected TOML, got \`${line.trim().slice(0, 40)}\``,
  );
}

/** A table with its values, and tables in it as tables of their own. */
export function renderTable(
  path: readonly string[],
  value: Readonly<Record<string, unknown>>,
): string {
  const entries = Object.entries(value);
  const own = entries.filter(([, one]) => !isTable(one));
  const inner = entries.flatMap(([key, one]) => (isTable(one) ? [[key, one] as const] : []));
  return [
    `[${path.map(tomlKey).join('.')}]`,
    ...own.map(([key, one]) => `${tomlKey(key)} = ${tomlValue(one)}`),
    '',
    ...inner.map(([key, one]) => renderTable([...path, key], one)),
  ].join('\n');
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Strings of JSON are strings of TOML, but for the characters above U+FFFF, which may stand as they are. */
function tomlValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlValue).join(', ')}]` : JSON.stringify(value);
}
