import { AnswerError } from '../answer-error.ts';
import type { Logger } from '../logger.ts';
import { redactBody } from '../redact.ts';
import type { Cassette } from './cassette.ts';
import { type ImageOptions, type Recording, type RequestImage, requestImage } from './recording.ts';

/** A `fetch` that records or replays, and knows when all it recorded is written. */
export interface CassetteFetch {
  readonly fetch: typeof fetch;
  /** Resolves once no recording is under way. */
  settled(): Promise<void>;
}

/** How traffic meets the cassette. */
export interface CassetteFetchOptions {
  readonly mode: 'record' | 'replay' | 'auto';
  readonly cassette: Cassette;
  readonly network: typeof fetch;
  readonly image: () => ImageOptions;
  readonly logger: Logger;
}

// What a client acts upon; the rest is noise, and may tell who recorded it.
const keptHeaders = ['content-type', 'x-request-id', 'retry-after', 'retry-after-ms'];

/** Puts a cassette between the client and the network. */
export function createCassetteFetch(options: CassetteFetchOptions): CassetteFetch {
  const { mode, cassette, network, image, logger } = options;
  const pending = new Set<Promise<void>>();
  const record = (request: RequestImage, response: Response): Response => {
    const { readable, body } = collected(response);
    const { secrets } = image();
    const written = body
      .then(
        (text) => cassette.add(recordingOf(request, response, redactBody(text, secrets))),
        () => {}, // A response that was cut short is not worth replaying.
      )
      .catch((error) => logger.error(`the cassette cannot be written: ${String(error)}`))
      .finally(() => pending.delete(written));
    pending.add(written);
    const { status, headers } = response;
    return new Response(readable, { status, headers });
  };
  return {
    async settled() {
      await Promise.all(pending);
    },
    async fetch(input, init = {}) {
      const request = requestImage(String(input), init as RequestInit, image());
      const found = mode === 'record' ? undefined : await cassette.next(request.key);
      if (found !== undefined) return replayed(found, init.signal ?? undefined);
      if (mode === 'replay') throw missing(request);
      return record(request, await network(input, init));
    },
  };
}

function missing({ method, path }: RequestImage): AnswerError {
  const message = `no recording matches this \`${method} ${path}\``;
  return new AnswerError('replay_miss', message, {
    hint: 'record it with `--replay record`, or use `--replay auto`',
  });
}

function recordingOf(request: RequestImage, response: Response, text: string): Recording {
  const { key, ...rest } = request;
  const headers = keptHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  // Cut between events, not where the network did: secrets may straddle a packet.
  const chunks = text.split(/(?<=\n\n)/);
  const { status } = response;
  return {
    v: 1,
    key,
    request: rest,
    response: { status, headers: Object.fromEntries(headers), chunks },
  };
}

/** Passes a body on while collecting it. */
function collected(response: Response): { readable: ReadableStream | null; body: Promise<string> } {
  if (response.body === null) return { readable: null, body: Promise.resolve('') };
  const [readable, copy] = response.body.tee();
  return { readable, body: new Response(copy).text() };
}

/** Streams piece by piece, a turn of the event loop apart, so that progress and abort behave. */
function replayed({ response }: Recording, signal: AbortSignal | undefined): Response {
  const chunks = [...response.chunks];
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return;
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
