import type { EmbedderPatch } from '../service/embedder-patch.ts';
import { integer, object, ok, parameters, text, textOrNull } from './fields.ts';
import { defineMethod, type Method, READS, REPLACES } from './method.ts';

/** Methods on the configuration. */
export const configMethods: readonly Method[] = [
  defineMethod<object>({
    name: 'memory.get_config',
    title: 'Get configuration',
    description: 'Show the settings in force: embedder, store and paths. Keys are never shown.',
    params: parameters({}),
    tool: { toolset: 'all' },
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
    description:
      'Change the embedder and save it. Only on explicit request of the user: every note gets a new vector. Returns ok and effectiveNamespace.',
    params: parameters(
      {
        embedder: {
          ...parameters(
            {
              provider: { ...textOrNull, description: 'local, openai, ollama or none' },
              model: { ...textOrNull, description: 'e.g. text-embedding-3-small' },
              baseUrl: textOrNull,
              apiKey: textOrNull,
            },
            { optional: ['provider', 'model', 'baseUrl', 'apiKey'] },
          ),
          description: 'what is absent or null stays',
        },
      },
      { optional: ['embedder'] },
    ),
    tool: { toolset: 'all' },
    result: object({ ok, effectiveNamespace: text }),
    annotations: REPLACES,
    handle: (memory, params) => memory.configuration.set(params),
  }),
];
