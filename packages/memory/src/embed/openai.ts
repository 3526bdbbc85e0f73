import type { ClientOptions, OpenAI } from 'openai';
import { clipText } from './clip-text.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { unitVector } from './normalize.ts';
import { keyMissing, providerError } from './provider-error.ts';
import { type ResolveHost, remoteFetch } from './remote-fetch.ts';
import { type RetryOptions, withRetries } from './retry.ts';

/** Texts the API takes in one request. */
const MAX_BATCH = 256;

/** How long to wait for an answer, and how to try again. */
export interface RemoteOptions extends Pick<RetryOptions, 'attempts' | 'firstDelayMs' | 'sleep'> {
  readonly timeoutMs?: number;
  readonly resolveHost?: ResolveHost;
}

/** Any server that speaks the OpenAI embeddings API. Nothing is sent before the first text. */
export function createOpenAiEmbedder(
  settings: EmbedderSettings,
  { timeoutMs = 30_000, resolveHost, ...retry }: RemoteOptions = {},
): Embedder {
  const { provider, model, baseUrl, apiKey } = settings;
  let dim = settings.dim > 0 ? settings.dim : undefined;
  let client: OpenAI | undefined;

  async function embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    if (apiKey === undefined) throw keyMissing(settings);
    client ??= await connect({ apiKey, baseURL: baseUrl, fetch: remoteFetch(resolveHost) });
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += MAX_BATCH) {
      const batch = texts.slice(start, start + MAX_BATCH).map(clipText);
      const answer = await withRetries(() => request(batch, signal), { ...retry, signal });
      vectors.push(...answer);
    }
    dim = vectors[0]?.length ?? dim;
    return vectors;
  }

  async function request(
    input: string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    try {
      const answer = await client?.embeddings.create(
        { model, input, encoding_format: 'float' },
        { timeout: timeoutMs, signal },
      );
      const data = (answer?.data ?? []).toSorted((a, b) => a.index - b.index);
      if (data.length !== input.length) {
        throw providerError(`expected ${input.length} vectors, got ${data.length}`, {
          status: 200,
        });
      }
      return data.map(({ embedding }) => unitVector(embedding));
    } catch (error) {
      signal?.throwIfAborted();
      throw toProviderError(error);
    }
  }

  return {
    provider,
    model,
    get dim() {
      return dim;
    },
    embed,
    close: async () => {},
  };
}

async function connect(options: ClientOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({ ...options, maxRetries: 0, logLevel: 'off' });
}

/** The text of a provider's error may quote the key it was sent: only its status is told. */
function toProviderError(error: unknown): unknown {
  if (!(error instanceof Error)) return providerError('the embedding provider failed');
  if (error.name === 'MemoryError') return error;
  // The client wraps what its `fetch` throws.
  if (error.cause instanceof Error && error.cause.name === 'MemoryError') return error.cause;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  const what = status === null ? 'could not be reached' : `answered with status ${status}`;
  return providerError(`the embedding provider ${what}`, { status, cause: error });
}
