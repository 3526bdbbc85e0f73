import type { Embedder } from './embedder.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { unitVector } from './normalize.ts';
import { providerError } from './provider-error.ts';
import {
  addressBelow,
  createRemoteEmbedder,
  fieldOf,
  type RemoteOptions,
} from './remote-embedder.ts';

/** Models served by Ollama on this or another machine. */
export function createOllamaEmbedder(
  settings: EmbedderSettings,
  options: RemoteOptions = {},
): Embedder {
  const { model, baseUrl } = settings;
  return createRemoteEmbedder(
    settings,
    {
      address: addressBelow(baseUrl ?? '', '/api/embed'),
      maxBatch: 64,
      timeoutMs: 60_000,
      headers: () => ({}),
      body: (input) => ({ model, input, truncate: true }),
      vectorsFrom,
    },
    options,
  );
}

function vectorsFrom(answer: unknown, count: number): Float32Array[] {
  const list = fieldOf(answer, 'embeddings');
  if (!Array.isArray(list) || list.length !== count) {
    throw providerError(`expected ${count} vectors in \`embeddings\``, { status: 200 });
  }
  return list.map(unitVector);
}
