import { MemoryError } from '../errors.ts';
import type { Embedder } from './embedder.ts';
import { embedderProblem } from './embedder-problem.ts';
import type { EmbedderSettings } from './embedder-settings.ts';
import { keyMissing } from './provider-error.ts';
import { PROVIDERS } from './providers.ts';

/** Opens the model of some settings; `undefined` for `none`. What a provider needs is loaded here, not before. */
export async function openEmbedder(settings: EmbedderSettings): Promise<Embedder | undefined> {
  assertKey(settings);
  const problem = embedderProblem(settings);
  if (problem !== undefined) {
    throw new MemoryError('PROVIDER', `embedder.${problem.key}: ${problem.message}`, {
      data: { status: null, retryable: false },
    });
  }
  switch (settings.provider) {
    case 'none':
      return undefined;
    case 'local': {
      const { openLocalEmbedder } = await import('./local/open-local.ts');
      return openLocalEmbedder();
    }
    case 'onnx': {
      const { openOnnxEmbedder } = await import('./onnx/open-onnx.ts');
      return openOnnxEmbedder(settings);
    }
    case 'openai': {
      const { createOpenAiEmbedder } = await import('./openai.ts');
      return createOpenAiEmbedder(settings);
    }
    case 'ollama': {
      const { createOllamaEmbedder } = await import('./ollama.ts');
      return createOllamaEmbedder(settings);
    }
  }
}

/** Refuses settings whose provider needs a key and has none. */
export function assertKey(settings: EmbedderSettings): void {
  const { provider, apiKey } = settings;
  if (PROVIDERS[provider].needsKey && apiKey === undefined) throw keyMissing(settings);
}
