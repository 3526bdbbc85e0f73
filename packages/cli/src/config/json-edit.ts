import { CliError } from '../command/cli-error.ts';
import { JsonMap, type JsonNode } from './json-map.ts';

/** How an entry is put in. */
export interface EditOptions {
  /** Replace an entry of the same name. */
  readonly force?: boolean;
}

/**
 * Puts `member.name = value` into a JSON text, comments and trailing commas allowed, changing nothing else.
 * Throws when the text cannot be understood or the entry is there already.
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
  if (!force) {
    throw new CliError('BROKEN', `there is an entry \`${name}\` already; \`--force\` replaces it`);
  }
  return text.slice(0, existing.start) + body + text.slice(existing.end);
}

function insert(
  text: string,
  node: JsonNode & { readonly type: 'object' },
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

function render(value: unknown, indent: string, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${indent.repeat(depth)}`);
}

function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}
