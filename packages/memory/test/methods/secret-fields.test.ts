import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { methods } from '../../src/methods/methods.ts';
import { RECORD_SCHEMAS, type RecordKind } from '../../src/service/transfer-schema.ts';
import { makeMemory, makeSettings, type TestMemory } from '../service/fake-memory.ts';
import { type TextField, textFields, withField } from './text-fields.ts';

/** Joined, so that no scanner takes this file for a leak. */
const FORM = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const WORD = ['hunt', 'er2x9'].join('');

/** What each required field takes when it is not the one under test. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  projectId: 'p',
  groupId: 'g',
  groupKey: 'other',
  text: 'plain words',
  title: 'plain title',
  key: 'global.plain',
  value: 'plain value',
  patch: {},
  at: '2026-01-01T00:00:00Z',
};

const VERSION = {
  ...{ projectId: 'p', groupId: 'g', text: 'plain words', version: 2, event: 'updated' },
  ...{ at: '2026-01-01T00:00:00Z', createdAt: '2026-01-01T00:00:00Z' },
};

/** Fields that name something: refused, because a redacted name could not be found again. */
const IDENTIFIERS = /(?:^|\.)(?:projectId|groupId|groupKey|key|tags\[0\])$/;
/** Fields that are checked for what they may be, and refused with another error. */
const CHECKED = /(?:^|\.)(?:id|createdAt|updatedAt|ifRevision|at|event)$/;

/** Every method that may write. The configuration has a key on purpose, in a file of its own. */
const writers = methods.filter(
  ({ name, annotations }) => !annotations.readOnlyHint && name !== 'memory.set_config',
);
const rows = writers.flatMap(({ name, params }) =>
  textFields(params).map((field) => [name, field.path, field] as const),
);
const records = (['note', 'group', 'value', 'deleted', 'erased'] as const).flatMap((kind) =>
  textFields(RECORD_SCHEMAS[kind]).map((field) => [kind, field.path, field] as const),
);

describe('a secret in any text field of any method that writes', () => {
  it('is looked for in every method that the contract names', () => {
    expect(writers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        ['add_note', 'update', 'upsert_global', 'group_create', 'group_update'].map(
          (name) => `memory.${name}`,
        ),
      ),
    );
  });

  it.each(rows)('%s: `%s` neither stores nor repeats it', async (name, _path, field) => {
    for (const { value, secret } of secretsFor(field)) {
      const { test, ids } = await filledMemory();
      const params = withField(sampleFor(name, ids), field.path, value);
      await expectKeptOut(test, field, secret, () =>
        test.call(name.replace('memory.', ''), params),
      );
    }
  });

  it.each(rows)('%s: `%s` is refused where so configured', async (name, _path, field) => {
    for (const { value, secret } of secretsFor(field)) {
      const { test, ids } = await filledMemory('refuse');
      const params = withField(sampleFor(name, ids), field.path, value);
      const failure = await failureOf(test.call(name.replace('memory.', ''), params));
      expect(JSON.stringify(failure)).not.toContain(secret);
      expect(await dump(test)).not.toContain(secret);
    }
  });

  it.each(records)('import of a %s: `%s` neither stores nor repeats it', async (kind, _, field) => {
    for (const { value, secret } of secretsFor(field)) {
      const { test } = await filledMemory();
      const plain = sampleRecord(kind, field.path);
      const record = withField(plain, field.path, value);
      await expectKeptOut(test, field, secret, () => test.memory.transfer.take(record));
    }
  });
});

/** The values to try in a field, each with the part that must not come out. */
function secretsFor({ path, isAnyJson }: TextField): { value: unknown; secret: string }[] {
  const prefix = path === 'key' ? 'global.' : '';
  const plain = [{ value: prefix + FORM, secret: FORM }];
  if (isAnyJson) {
    return [
      { value: { a: [{ b: `push with ${FORM}` }] }, secret: FORM },
      { value: { [FORM]: 1 }, secret: FORM },
      { value: { db: { password: WORD } }, secret: WORD },
      { value: { apiKey: [WORD] }, secret: WORD },
      { value: { note: `the password is ${WORD}.` }, secret: WORD },
    ];
  }
  if (IDENTIFIERS.test(path) || CHECKED.test(path)) return plain;
  return [...plain, { value: `we log in with password: ${WORD}`, secret: WORD }];
}

async function expectKeptOut(
  test: TestMemory,
  { path }: TextField,
  secret: string,
  write: () => Promise<unknown>,
): Promise<void> {
  const outcome = await write().then(
    (answer) => ({ answer, failure: undefined }),
    (error: unknown) => ({ answer: undefined, failure: error as Failure }),
  );
  expect(JSON.stringify(outcome.answer ?? '')).not.toContain(secret);
  expect(JSON.stringify([outcome.failure?.message, outcome.failure?.data])).not.toContain(secret);
  expect(await dump(test)).not.toContain(secret);
  if (IDENTIFIERS.test(path)) {
    expect(outcome.failure).toMatchObject({ rpcCode: -32602, data: { path } });
    expect(outcome.failure?.message).toMatch(/secret \(.+\): use/);
  } else if (CHECKED.test(path)) {
    expect(outcome.failure).toBeDefined();
  } else {
    expect(outcome).toMatchObject({ answer: { redacted: [expect.any(String)] } });
    expect(await dump(test)).toContain('[redacted: ');
  }
}

interface Failure {
  readonly message: string;
  readonly data: unknown;
}

async function failureOf(call: Promise<unknown>): Promise<unknown[]> {
  const failure = await call.then(
    () => expect.fail('expected a refusal'),
    (error: unknown) => error as Failure,
  );
  return [failure.message, failure.data];
}

interface Ids {
  readonly note: string;
  readonly group: string;
}

async function filledMemory(secrets: 'redact' | 'refuse' = 'redact') {
  const test = makeMemory({ settings: makeSettings({ secrets }) });
  const note = await test.call<{ id: string }>('add_note', {
    ...sampled(['projectId', 'groupId']),
    text: 'a first note',
  });
  const group = await test.call<{ id: string }>('group_create', {
    ...{ projectId: 'p', groupKey: 'g', title: 'G' },
  });
  return { test, ids: { note: note.id, group: group.id } };
}

function sampleFor(name: string, ids: Ids): object {
  const { required = [], properties = {} } =
    writers.find((each) => each.name === name)?.params ?? {};
  const id = name.includes('group_') ? ids.group : ids.note;
  return { ...('id' in properties ? { id } : {}), ...sampled(required) };
}

function sampleRecord(kind: RecordKind, path: string): object {
  const { required = [] } = RECORD_SCHEMAS[kind];
  const named = kind === 'deleted' || kind === 'erased' ? { id: randomUUID() } : {};
  const versions = kind === 'deleted' ? [{ ...VERSION, event: 'deleted' }] : [VERSION];
  return {
    ...{ kind, ...named, ...sampled(required.filter((name) => name !== 'versions')) },
    ...(path.startsWith('versions') || kind === 'deleted' ? { versions } : {}),
  };
}

function sampled(names: readonly string[]): object {
  return Object.fromEntries(
    names.flatMap((name) => {
      if (name === 'id') return [];
      if (!(name in SAMPLES)) throw new Error(`expected a sample for the new field \`${name}\``);
      return [[name, SAMPLES[name]]];
    }),
  );
}

/** Everything the store holds, history and names of projects included. */
async function dump({ store }: TestMemory): Promise<string> {
  const rows: unknown[] = [];
  for await (const row of store.storedTexts()) rows.push(row);
  return JSON.stringify(rows);
}
