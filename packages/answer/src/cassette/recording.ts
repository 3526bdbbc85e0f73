import { createHash } from 'node:crypto';
import { listOf, objectOf, textOf } from '../loose-json.ts';
import { redactBody } from '../redact.ts';

/** One request with its response, as a line of a cassette. */
export interface Recording {
  readonly v: 1;
  readonly key: string;
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** The body in the pieces a stream is replayed in. */
    readonly chunks: readonly string[];
  };
}

/** A request as it is matched: secrets and the current day taken out. */
export interface RequestImage {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What is left out of images, so that a recording matches tomorrow and on another machine. */
export interface ImageOptions {
  readonly baseUrl: string;
  readonly secrets: readonly string[];
  /** Today, as it is written in requests. */
  readonly today: string;
}

/** Makes the image of a request. */
export function requestImage(
  url: string,
  init: { readonly method?: string; readonly body?: unknown },
  { baseUrl, secrets, today }: ImageOptions,
): RequestImage {
  const method = init.method ?? 'GET';
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : new URL(url).pathname;
  const source = typeof init.body === 'string' ? init.body : 'null';
  const text = redactBody(source, secrets).replaceAll(today, '<today>');
  const body: unknown = sorted(JSON.parse(text));
  const hash = createHash('sha256').update(`${method} ${path} ${JSON.stringify(body)}`);
  return { key: hash.digest('hex').slice(0, 32), method, path, body };
}

/** Reads a line of a cassette; throws when it is not a recording. */
export function parseRecording(line: string): Recording {
  const value = objectOf(JSON.parse(line));
  const response = objectOf(value['response']);
  const isRecording =
    value['v'] === 1 &&
    textOf(value['key']) !== undefined &&
    typeof response['status'] === 'number' &&
    listOf(response['chunks']).every((chunk) => typeof chunk === 'string');
  if (!isRecording) throw new TypeError('expected a recording of version `1`');
  return value as unknown as Recording;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
