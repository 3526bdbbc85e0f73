import {
  filledText,
  integer,
  listOf,
  object,
  ok,
  parameters,
  projectId,
  text,
  textOrNull,
  time,
} from './fields.ts';
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
    description:
      'Set a project-wide value. Use it for current state under a fixed key; use a note for what search should find. Returns ok and id.',
    params: parameters(
      {
        projectId,
        key: { ...filledText, description: 'starts with global., e.g. global.conventions' },
        value: { description: 'JSON or text, e.g. {"indent":2}' },
        updatedAt: { ...time, description: `if not now; ${time.description}` },
        ifRevision: {
          type: 'integer',
          minimum: 0,
          description: 'write only if this is the revision of the value; 0: only if there is none',
        },
      },
      { optional: ['updatedAt', 'ifRevision'] },
    ),
    tool: { toolset: 'core', hidden: ['updatedAt', 'ifRevision'] },
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
    description: 'Get a project-wide value. Returns found, value and updatedAt.',
    params: parameters({
      projectId,
      key: { ...filledText, description: 'e.g. global.conventions' },
    }),
    tool: { toolset: 'core' },
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
