import type { Embedder } from './embedder.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { unitVector } from './normalize.ts';
import { keyMissing, providerError } from './provider-error.ts';
import { PROVIDERS } from './providers.ts';
import {
  addressBelow,
  createRemoteEmbedder,
  fieldOf,
  type RemoteOptions,
} from './remote-embedder.ts';

/** Any server that speaks the OpenAI embeddings API. */
export function createOpenAiEmbedder(
  settings: EmbedderSettings,
  options: RemoteOptions = {},
): Embedder {
  const { model, baseUrl, apiKey } = settings;
  const base = baseUrl ?? PROVIDERS.openai.defaultBaseUrl ?? '';
  return createRemoteEmbedder(
    settings,
    {
      address: addressBelow(base, '/embeddings'),
      maxBatch: 256,
      timeoutMs: 30_000,
      headers: () => {
        if (apiKey === undefined) throw keyMissing(settings);
        return { authorization: `Bearer ${apiKey}` };
      },
      body: (input) => ({ model, input, encoding_format: 'float' }),
      vectorsFrom,
    },
    options,
  );
}

/** Each vector comes with the index of its text, in any order. */
function vectorsFrom(answer: unknown, count: number): Float32Array[] {
  const data = fieldOf(answer, 'data');
  const list: readonly unknown[] = Array.isArray(data) ? data : [];
  if (list.length !== count) {
    throw providerError(`expected ${count} vectors, got ${list.length}`, { status: 200 });
  }
  return list
    .toSorted((a, b) => Number(fieldOf(a, 'index')) - Number(fieldOf(b, 'index')))
    .map((item) => unitVector(fieldOf(item, 'embedding')));
}
