import {
  filledText,
  integer,
  listOf,
  noteProperties,
  object,
  ok,
  parameters,
  text,
} from './fields.ts';
import { defineMethod, type Method, READS, REPLACES } from './method.ts';

/** Methods on what notes were before. */
export const historyMethods: readonly Method[] = [
  defineMethod<{ readonly id: string }>({
    name: 'memory.history',
    title: 'History of a note',
    description: "List a note's versions, newest first; also of a deleted note.",
    params: parameters({ id: filledText }),
    result: object(
      {
        namespace: text,
        versions: listOf(
          object({
            version: integer,
            event: { ...text, description: 'added, updated, deleted or restored' },
            at: text,
            ...noteProperties,
          }),
        ),
        omitted: { ...integer, description: 'older versions that one answer has no room for' },
      },
      { optional: ['omitted'] },
    ),
    annotations: READS,
    handle: (memory, params) => memory.history.list(params),
  }),
  defineMethod<{ readonly id: string; readonly version?: number }>({
    name: 'memory.restore',
    title: 'Restore note',
    description: 'Bring back a deleted note or an earlier version.',
    params: parameters(
      { id: filledText, version: { type: 'integer', minimum: 1 } },
      { optional: ['version'] },
    ),
    result: object({ ok, version: integer }),
    annotations: REPLACES,
    handle: (memory, params) => memory.history.restore(params),
  }),
];
