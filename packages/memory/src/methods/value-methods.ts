import { filledText, integer, listOf, object, ok, text, textOrNull } from './fields.ts';
import { defineMethod, type Method, READS, REPLACES } from './method.ts';

/** Methods on values of a whole project. */
export const valueMethods: readonly Method[] = [
  defineMethod<{
    readonly projectId: string;
    readonly key: string;
    readonly value: unknown;
    readonly updatedAt?: string;
    readonly ifRevision?: number;
  }>({
    name: 'memory.upsert_global',
    title: 'Set global value',
    description: 'Set a project-wide value; key begins with global.',
    params: object(
      {
        projectId: filledText,
        key: filledText,
        value: {},
        updatedAt: text,
        ifRevision: {
          type: 'integer',
          minimum: 0,
          description: 'write only if this is the revision of the value; 0: only if there is none',
        },
      },
      { optional: ['updatedAt', 'ifRevision'] },
    ),
    untold: ['ifRevision'],
    result: object(
      { ok, id: text, namespace: text, revision: integer, redacted: listOf(text) },
      { optional: ['revision', 'redacted'] },
    ),
    annotations: REPLACES,
    handle: (memory, params) => memory.values.upsert(params),
  }),
  defineMethod<{ readonly projectId: string; readonly key: string }>({
    name: 'memory.get_global',
    title: 'Get global value',
    description: 'Get a project-wide value.',
    params: object({ projectId: filledText, key: filledText }),
    result: object({
      namespace: text,
      found: ok,
      id: textOrNull,
      value: {},
      updatedAt: textOrNull,
      revision: { type: ['integer', 'null'] },
    }),
    annotations: READS,
    handle: (memory, params) => memory.values.get(params),
  }),
];
