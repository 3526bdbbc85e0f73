import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../command/cli-error.ts';
import { JsonMap, type JsonNode } from './json-map.ts';

/** How an entry is put in. */
export interface EditOptions {
  /** Replace an entry of the same name. */
  readonly force?: boolean;
}

/**
 * Puts `member.name = value` into a JSON text, comments and trailing commas allowed, changing nothing else.
 * An entry that is there already with this value stays as it is. Throws when the text cannot be understood or the
 * entry has another value.
 */
export function putJsonEntry(
  text: string,
  [member, name]: readonly [string, string],
  value: unknown,
  { force = false }: EditOptions = {},
): string {
  if (text.trim() === '') return `${JSON.stringify({ [member]: { [name]: value } }, null, 2)}\n`;
  const root = new JsonMap(text).root;
  const indent = indentOf(text);
  if (root.type !== 'object') throw new CliError('BROKEN', 'expected a JSON object at the top');
  const holder = root.members.get(member);
  if (holder === undefined) {
    return insert(text, root, member, render({ [name]: value }, indent, 1), { indent, depth: 1 });
  }
  if (holder.type !== 'object')
    throw new CliError('BROKEN', `expected \`${member}\` to be an object`);
  const existing = holder.members.get(name);
  const body = render(value, indent, 2);
  if (existing === undefined) return insert(text, holder, name, body, { indent, depth: 2 });
  if (hasValue(text.slice(existing.start, existing.end), value)) return text;
  if (!force) {
    throw new CliError(
      'BROKEN',
      `the entry \`${name}\` exists already with other values; \`--force\` replaces it`,
    );
  }
  return text.slice(0, existing.start) + body + text.slice(existing.end);
}

/** Takes `member.name` out of a JSON text, and `member` too if nothing else is in it. Changes nothing else. */
export function removeJsonEntry(text: string, [member, name]: readonly [string, string]): string {
  if (text.trim() === '') return text;
  const root = new JsonMap(text).root;
  const holder = root.type === 'object' ? root.members.get(member) : undefined;
  if (root.type !== 'object' || holder?.type !== 'object' || !holder.members.has(name)) return text;
  return holder.members.size === 1 ? cut(text, root, member) : cut(text, holder, name);
}

type ObjectNode = JsonNode & { readonly type: 'object' };

/** Cuts a member out, with the comma that it no longer needs. */
function cut(text: string, node: ObjectNode, name: string): string {
  const order = [...node.members.keys()];
  const index = order.indexOf(name);
  const value = node.members.get(name);
  const nameStart = node.names.get(name);
  if (value === undefined || nameStart === undefined) return text;
  const start = text.slice(0, nameStart).trimEnd().length;
  const next = node.names.get(order[index + 1] ?? '');
  // Everything up to the comma behind the value goes; a comment behind it may hold a comma of its own.
  const commaBehind = /^(?:\s|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(value.end))?.[0].length ?? 0;
  const end = value.end + commaBehind;
  if (next !== undefined || commaBehind > 0) return closeUp(text, node, [start, end]);
  const before = node.members.get(order[index - 1] ?? '');
  if (before === undefined) return closeUp(text, node, [start, end]);
  // The last member without a trailing comma: the one before it loses its comma, and keeps its comment.
  const comma = text.indexOf(',', before.end);
  return text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(end);
}

/** Takes a range out, and leaves an object without members as `{}`. */
function closeUp(text: string, node: ObjectNode, [start, end]: readonly [number, number]): string {
  const inside = text.slice(node.start + 1, start) + text.slice(end, node.end - 1);
  const isEmpty = node.members.size === 1 && inside.trim() === '';
  const body = isEmpty ? '' : inside;
  return text.slice(0, node.start + 1) + body + text.slice(node.end - 1);
}

function insert(
  text: string,
  node: ObjectNode,
  name: string,
  body: string,
  { indent, depth }: { readonly indent: string; readonly depth: number },
): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const member = `${lineEnd}${indent.repeat(depth)}${JSON.stringify(name)}: ${body}`;
  const last = [...node.members.values()].at(-1);
  if (last === undefined) {
    const inside = text.slice(node.start + 1, node.end - 1).trimEnd();
    const close = `${lineEnd}${indent.repeat(depth - 1)}`;
    return `${text.slice(0, node.start + 1)}${inside}${member}${close}${text.slice(node.end - 1)}`;
  }
  // A trailing comma stays where it is and separates; else the new member brings one.
  const at = node.trailingComma ?? last.end;
  const comma = node.trailingComma === undefined ? ',' : '';
  const tail = text.slice(at);
  // A comment on the line of the last member belongs to it.
  const note = /^[ \t]*\/\/[^\n\r]*/.exec(tail)?.[0] ?? '';
  const isOneLine = !/\n/.test(text.slice(node.start, node.end));
  const close = isOneLine ? `${lineEnd}${indent.repeat(depth - 1)}` : '';
  const after = isOneLine ? tail.trimStart() : tail.slice(note.length);
  return `${text.slice(0, at)}${comma}${note}${member}${close}${after}`;
}

/** Whether a JSON text has this value. One with comments counts as another. */
function hasValue(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  } catch {
    return false;
  }
}

function render(value: unknown, indent: string, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${indent.repeat(depth)}`);
}

function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}
