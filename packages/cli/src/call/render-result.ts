import { CliError } from '../command/cli-error.ts';
import { formatBytes } from '../format/measure.ts';
import type { Paint } from '../format/paint.ts';
import { printable } from '../format/text.ts';

/** The result of a call for a person: text as text, media by size, the rest as JSON. */
export function renderResult(result: unknown, paint: Paint): string {
  if (typeof result === 'string') return printable(result);
  const { content, structuredContent, contents, messages } = Object(result) as Record<
    string,
    unknown
  >;
  if (Array.isArray(content) && content.every(isBlock)) {
    const blocks = content.map((block) => renderBlock(block, paint));
    const isRepeated = content.length === 1 && isSameJson(content[0]?.['text'], structuredContent);
    if (structuredContent !== undefined && !isRepeated) blocks.push(json(structuredContent));
    if (isRepeated) return json(structuredContent);
    return blocks.join('\n');
  }
  if (Array.isArray(contents) && contents.every(isBlock)) {
    return contents
      .map((item) => renderBlock({ type: 'resource', resource: item }, paint))
      .join('\n');
  }
  if (Array.isArray(messages) && messages.every(isBlock)) {
    return messages
      .map(({ role, content: block }) => {
        const body = isBlock(block) ? renderBlock(block, paint) : json(block);
        return `${paint.bold(`${printable(String(role))}:`)} ${body}`;
      })
      .join('\n');
  }
  return json(result);
}

type Block = Readonly<Record<string, unknown>>;

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null;
}

function renderBlock(block: Block, paint: Paint): string {
  const { type, text, data, mimeType, uri, resource, name } = block;
  if (type === 'text') return printable(String(text));
  if (type === 'image' || type === 'audio') {
    const bytes = formatBytes(Math.floor((String(data).length * 3) / 4));
    return paint.dim(printable(`[${type} ${String(mimeType)}, ${bytes}]`));
  }
  if (type === 'resource_link')
    return paint.dim(printable(`[link ${String(name)} ${String(uri)}]`));
  if (type === 'resource' && isBlock(resource)) {
    const head = paint.dim(printable(`[${String(resource['uri'])}]`));
    const body = resource['text'];
    if (typeof body === 'string') return `${head}\n${printable(body)}`;
    const bytes = formatBytes(Math.floor((String(resource['blob']).length * 3) / 4));
    return `${head} ${paint.dim(`${printable(String(resource['mimeType']))}, ${bytes}`)}`;
  }
  return json(block);
}

/** Whether a text block only repeats the structured content, as servers do for old clients. */
function isSameJson(text: unknown, value: unknown): boolean {
  if (typeof text !== 'string' || value === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    // Prose.
    return false;
  }
}

function json(value: unknown): string {
  return printable(jsonText(value));
}

/** A value of a server as JSON. The server may nest it more deeply than it can be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? 'undefined';
  } catch (cause) {
    throw new CliError('BROKEN', 'the server sent a value that nests too deeply to be shown', {
      cause,
    });
  }
}
