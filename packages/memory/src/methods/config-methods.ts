import type { EmbedderPatch } from '../service/embedder-patch.ts';
import { integer, object, ok, text, textOrNull } from './fields.ts';
import { defineMethod, type Method, READS, REPLACES } from './method.ts';

/** Methods on the configuration. */
export const configMethods: readonly Method[] = [
  defineMethod<object>({
    name: 'memory.get_config',
    title: 'Get configuration',
    description: 'Show the settings.',
    params: object({}),
    result: object(
      {
        transportDefaults: object({ defaultTransport: text }),
        embedder: object({ provider: text, model: text, dim: integer, baseUrl: textOrNull }),
        store: object({ type: text, path: textOrNull, url: textOrNull }),
        paths: object({ configPath: text, dataDir: text }),
        vectors: {
          ...object({ done: integer, pending: integer }),
          description: 'while notes are on their way to another model',
        },
      },
      { optional: ['vectors'] },
    ),
    annotations: READS,
    handle: (memory) => memory.configuration.get(),
  }),
  defineMethod<{ readonly embedder?: EmbedderPatch }>({
    name: 'memory.set_config',
    title: 'Set configuration',
    description: 'Change the embedder: local, openai, ollama or none.',
    params: object(
      {
        embedder: object(
          { provider: text, model: text, baseUrl: text, apiKey: text },
          { optional: ['provider', 'model', 'baseUrl', 'apiKey'] },
        ),
      },
      { optional: ['embedder'] },
    ),
    result: object({ ok, effectiveNamespace: text }),
    annotations: REPLACES,
    handle: (memory, params) => memory.configuration.set(params),
  }),
];
