import { clipText } from './clip-text.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { unitVector } from './normalize.ts';
import type { RemoteOptions } from './openai.ts';
import { providerError } from './provider-error.ts';
import { remoteFetch } from './remote-fetch.ts';
import { withRetries } from './retry.ts';

const MAX_BATCH = 64;

/** Models served by Ollama on this or another machine. */
export function createOllamaEmbedder(
  settings: EmbedderSettings,
  { timeoutMs = 60_000, resolveHost, ...retry }: RemoteOptions = {},
): Embedder {
  const { provider, model, baseUrl } = settings;
  const address = `${(baseUrl ?? '').replace(/\/+$/, '')}/api/embed`;
  const send = remoteFetch(resolveHost);
  let dim = settings.dim > 0 ? settings.dim : undefined;

  async function embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += MAX_BATCH) {
      const batch = texts.slice(start, start + MAX_BATCH).map(clipText);
      vectors.push(...(await withRetries(() => request(batch, signal), { ...retry, signal })));
    }
    dim = vectors[0]?.length ?? dim;
    return vectors;
  }

  async function request(
    input: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input, truncate: true }),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      if (!response.ok) {
        throw providerError(`the embedding provider answered with status ${response.status}`, {
          status: response.status,
        });
      }
      return vectorsFrom(await response.json(), input.length);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Error && error.name === 'MemoryError') throw error;
      throw providerError('the embedding provider could not be reached', { cause: error });
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

function vectorsFrom(answer: unknown, count: number): Float32Array[] {
  const list =
    typeof answer === 'object' && answer !== null && 'embeddings' in answer
      ? answer.embeddings
      : undefined;
  if (!Array.isArray(list) || list.length !== count) {
    throw providerError(`expected ${count} vectors in \`embeddings\``, { status: 200 });
  }
  return list.map(unitVector);
}
