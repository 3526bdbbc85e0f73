import { clipText } from './clip-text.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { providerError } from './provider-error.ts';
import { readAnswer } from './read-answer.ts';
import { type ResolveHost, remoteFetch } from './remote-fetch.ts';
import { type RetryOptions, withRetries } from './retry.ts';

/** How long to wait for an answer, and how to try again. */
export interface RemoteOptions extends Pick<RetryOptions, 'attempts' | 'firstDelayMs' | 'sleep'> {
  readonly timeoutMs?: number;
  readonly resolveHost?: ResolveHost;
}

/** What sets one embeddings API apart from another. */
export interface RemoteApi {
  readonly address: string;
  /** Texts that it takes in one request. */
  readonly maxBatch: number;
  readonly timeoutMs: number;
  /** Headers beside the content type; throws where a key is missing. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body: (input: readonly string[]) => object;
  /** The vectors in an answer, in the order of the texts. */
  readonly vectorsFrom: (answer: unknown, count: number) => Float32Array[];
}

/** Embeds by HTTP. Nothing is sent before the first text. */
export function createRemoteEmbedder(
  { provider, model, dim: knownDim }: EmbedderSettings,
  api: RemoteApi,
  { timeoutMs = api.timeoutMs, resolveHost, ...retry }: RemoteOptions,
): Embedder {
  const send = remoteFetch(resolveHost);
  let dim = knownDim > 0 ? knownDim : undefined;

  async function embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    const headers = { 'content-type': 'application/json', ...api.headers() };
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += api.maxBatch) {
      const input = texts.slice(start, start + api.maxBatch).map(clipText);
      const attempt = (): Promise<Float32Array[]> => request(input, headers, signal);
      vectors.push(...(await withRetries(attempt, { ...retry, signal })));
    }
    dim = vectors[0]?.length ?? dim;
    return vectors;
  }

  async function request(
    input: readonly string[],
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(api.address, {
        method: 'POST',
        headers,
        body: JSON.stringify(api.body(input)),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      const { ok, status } = response;
      if (ok) return api.vectorsFrom(await readAnswer(response), input.length);
      // The text of a provider's error may quote the key it was sent: only its status is told.
      await response.body?.cancel();
      throw providerError(`the embedding provider answered with status ${status}`, { status });
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

function toProviderError(error: unknown): unknown {
  if (error instanceof Error && error.name === 'MemoryError') return error;
  if (error instanceof SyntaxError) {
    return providerError('expected the embedding provider to answer with JSON', { status: 200 });
  }
  return providerError('the embedding provider could not be reached', { cause: error });
}

/** A field of an answer that may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** An address below a provider's base. */
export function addressBelow(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`;
}
