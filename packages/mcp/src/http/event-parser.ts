import { DEFAULT_MAX_MESSAGE_BYTES, WireError } from 'tincan-wire';

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
  /** Time after which a client may come back, if the event says so. */
  readonly retryMs: number | undefined;
}

const BETWEEN_EVENTS = /\r\n\r\n|\n\n|\r\r/;

/** Reads server-sent events from the body of an answer. Throws `TOO_LARGE` when one is over the limit. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  maxChars: number = DEFAULT_MAX_MESSAGE_BYTES,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  // The pieces of an unfinished event are joined once: searching all of it for each piece would be quadratic.
  let held: string[] = [];
  let heldChars = 0;
  let tail = '';
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    held.push(text);
    heldChars += text.length;
    const seam = tail + text;
    tail = seam.slice(-3);
    if (BETWEEN_EVENTS.test(seam)) {
      const blocks = held.join('').split(BETWEEN_EVENTS);
      const rest = blocks.pop() ?? '';
      held = [rest];
      heldChars = rest.length;
      tail = rest.slice(-3);
      for (const block of blocks) yield parseEvent(block);
    }
    if (heldChars > maxChars) throw tooLarge(maxChars);
  }
}

/** Reads a body as text. Throws `TOO_LARGE` when it is over the limit. */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number = DEFAULT_MAX_MESSAGE_BYTES,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLarge(limit: number): WireError {
  return new WireError('TOO_LARGE', `expected an answer of at most ${limit} bytes, got more`);
}

function parseEvent(block: string): ServerEvent {
  let id: string | undefined;
  let retryMs: number | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { id, data: data.join('\n'), retryMs };
}
