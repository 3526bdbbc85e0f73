import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { methods } from '../../src/methods/methods.ts';
import type { JsonSchema, SchemaType } from '../../src/schema/json-schema.ts';
import { makeTempFolder } from '../store/temp-folder.ts';
import { MemoryProgram } from './memory-program.ts';

const home = makeTempFolder();
const server = new MemoryProgram(home);

afterAll(async () => {
  // Whatever came in, the server is well, has said nothing and ends as it should.
  expect(await server.call('memory.get_config')).toMatchObject({ store: { type: 'sqlite' } });
  expect(await server.end()).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
});

const note = { projectId: '/p', groupId: 'g', text: 'the lantern is green' };

const WRONG: Readonly<Record<SchemaType, readonly unknown[]>> = {
  string: [7, true, [], {}],
  integer: ['7', 1.5, true, [], {}, 1e300],
  number: ['7', true, [], {}],
  boolean: ['true', 1, [], {}],
  object: ['x', 7, true, []],
  array: ['x', 7, true, {}],
  null: [],
};

/** Every place in some parameters with the values that are of a wrong type there. */
function* wrongValues(
  schema: JsonSchema,
  path: readonly (string | number)[] = [],
): Generator<{ path: readonly (string | number)[]; value: unknown }> {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const [main] = types;
  if (path.length > 0 && main !== undefined) {
    for (const value of WRONG[main]) yield { path, value };
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* wrongValues(property, [...path, name]);
  }
  if (schema.items !== undefined) yield* wrongValues(schema.items, [...path, 0]);
}

/** Parameters that fit the schema but for one value. */
function paramsWith(
  schema: JsonSchema,
  path: readonly (string | number)[],
  value: unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') return [paramsWith(schema.items ?? {}, rest, value)];
  const required = (schema.required ?? []).map((name) => [
    name,
    schema.properties?.[name]?.type === 'object' ? {} : 'x',
  ]);
  const inner = schema.properties?.[step] ?? {};
  return { ...Object.fromEntries(required), [step]: paramsWith(inner, rest, value) };
}

function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

describe('a wrong type', () => {
  it.each(methods.filter(({ params }) => Object.keys(params.properties ?? {}).length > 0))(
    'at any field of $name is refused with the path of the field',
    async ({ name, params: schema }) => {
      let tried = 0;
      for (const { path, value } of wrongValues(schema)) {
        tried++;
        const answer = await server.request(name, paramsWith(schema, path, value));
        expect(answer, JSON.stringify({ path, value })).toMatchObject({
          error: { code: -32602, data: { path: pathText(path) } },
        });
      }
      expect(tried).toBeGreaterThan(3);
    },
  );

  it.each(['"x"', '7', 'true'])('of params is an invalid request: %s', async (params) => {
    const line = `{"jsonrpc":"2.0","id":1,"method":"memory.get_config","params":${params}}`;
    expect((await server.ask(line)).error?.code).toBe(-32600);
  });

  it('of a whole message is an invalid request', async () => {
    for (const line of ['7', '"x"', 'true', 'null', '[]']) {
      expect((await server.ask(line)).error?.code, line).toBeOneOf([-32600, -32700]);
    }
  });
});

const NASTY: readonly [string, string][] = [
  ['NUL bytes', 'a\0b\0'],
  ['lone surrogates', 'a\ud800b\udfffc'],
  ['every ASCII character', String.fromCharCode(...Array.from({ length: 128 }, (_, i) => i))],
  ['a quote of SQL', `'; DROP TABLE note; --`],
  ['a double quote', 'say "hi'],
  ['an operator of the text index', 'a AND OR NOT NEAR(b, 2) ^c* -d +e {text}: title : "f"*'],
  ['a column filter', '- {title} : (a)'],
  ['brackets', '((((('],
  ['a wildcard', '%_*?[]\\'],
  ['a marker of the scope', '§p1 §p1g67'],
  ['a bound parameter', '?1 :a @b $c'],
  ['nothing but white space', ' \t\r\n\u2028\u3000'],
  ['emoji and marks', '👩‍👩‍👧‍👦 e\u0301 \u202e abc \ufeff'],
  ['a very long word', 'x'.repeat(100_000)],
  ['JSON that looks like a prototype', '{"__proto__":{"polluted":true}}'],
];

describe('text that is data', () => {
  it.each(NASTY)('is kept and searched as it is: %s', async (_, text) => {
    const kept = text.replace(/\p{Surrogate}/gu, '\ufffd');
    const tags = [text, 'plain'];
    const { id } = await server.call('memory.add_note', {
      ...note,
      projectId: 'nasty',
      text,
      title: text,
      source: text,
      tags,
      metadata: { [text]: text },
    });
    expect(await server.call('memory.get', { id })).toMatchObject({
      text: kept,
      title: kept,
      source: kept,
      tags: [kept, 'plain'],
      metadata: { [kept]: kept },
    });
    const search = { projectId: 'nasty', query: text, tags, topK: 100 };
    const { results } = await server.call('memory.search', search);
    // White space asks for nothing, which is no error and finds nothing.
    expect(results).toMatchObject(text.trim() === '' ? [] : [{ id }]);
    const listed = await server.call('memory.list_recent', { projectId: 'nasty', tags: [text] });
    expect(listed['items']).toMatchObject([{ id }]);
  });

  it.each(NASTY)('is a value as it is: %s', async (_, text) => {
    const at = { projectId: 'nasty', key: 'global.v' };
    await server.call('memory.upsert_global', { ...at, value: [text] });
    const { value } = await server.call('memory.get_global', at);
    expect(value).toEqual([text.replace(/\p{Surrogate}/gu, '\ufffd')]);
  });

  it.each(NASTY)('is no id and no group: %s', async (_, text) => {
    expect((await server.request('memory.get', { id: text })).error?.code).toBe(-32003);
    const add = await server.request('memory.add_note', { ...note, groupId: text });
    if (/^x+$/.test(text)) expect(add.result).toBeDefined();
    else expect(add.error).toMatchObject({ code: -32602, data: { path: 'groupId' } });
  });

  it('is refused in a projectId only where no path can hold it', async () => {
    const list = (projectId: string) => server.request('memory.list_recent', { projectId });
    for (const projectId of ['/p\0q', 'x'.repeat(4_097), '/a'.repeat(200_000)]) {
      const { error } = await list(projectId);
      expect(error).toMatchObject({ code: -32602, data: { path: 'projectId' } });
    }
    for (const projectId of [`'; DROP TABLE note; --`, '/p\ud800', 'x'.repeat(4_096)]) {
      expect((await list(projectId)).result).toMatchObject({ items: [] });
    }
  });

  it('pollutes nothing', async () => {
    const line = `{"jsonrpc":"2.0","id":1,"method":"memory.add_note","params":{"projectId":"proto",
      "groupId":"g","text":"x","metadata":{"__proto__":{"polluted":true}}}}`;
    const { result } = await server.ask(line.replace(/\n\s*/g, ''));
    const line2 = { id: result?.['id'] };
    expect(JSON.stringify(await server.call('memory.get', line2))).toContain('polluted');
    expect(await server.call('memory.get_config')).not.toHaveProperty('polluted');
  });

  it('is refused where it nests too deeply', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const line = `{"jsonrpc":"2.0","id":1,"method":"memory.upsert_global","params":{"projectId":"p","key":"global.d","value":${deep}}}`;
    expect((await server.ask(line)).error).toMatchObject({ code: -32602 });
  });
});

describe('a time', () => {
  const ABSURD = [
    'yesterday',
    '',
    ' ',
    '2024',
    '2024-01-15',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:01Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00+99:00',
    '+275761-01-01T00:00:00Z',
    '999999999-01-01T00:00:00Z',
    'Mon Jan 01 2024',
    '1704067200000',
    '2024-01-01T00:00:00Z\0',
    "2024-01-01T00:00:00Z' OR 1=1 --",
  ];

  it.each(ABSURD)('that is none is refused wherever it is given: %j', async (time) => {
    const search = { projectId: '/p', query: 'x' };
    const value = { projectId: '/p', key: 'global.k', value: 1 };
    const calls: [string, object, string][] = [
      ['memory.add_note', { ...note, createdAt: time }, 'createdAt'],
      ['memory.search', { ...search, since: time }, 'since'],
      ['memory.search', { ...search, until: time }, 'until'],
      ['memory.upsert_global', { ...value, updatedAt: time }, 'updatedAt'],
    ];
    for (const [name, params, path] of calls) {
      expect(await server.request(name, params), path).toMatchObject({
        error: { code: -32602, data: { path } },
      });
    }
  });

  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-01-15T10:30:00+09:00', '2024-01-15T01:30:00.000Z'],
    ['1969-12-31T23:59:59-00:30', '1970-01-01T00:29:59.000Z'],
  ])('far away is kept: %s', async (createdAt, kept) => {
    const { id } = await server.call('memory.add_note', { ...note, createdAt });
    expect(await server.call('memory.get', { id })).toMatchObject({ createdAt: kept });
  });
});

describe('a project', () => {
  it('behind a loop of links keeps the name it was given', async () => {
    const loop = join(home, 'loop');
    symlinkSync(join(home, 'pool'), loop);
    symlinkSync(loop, join(home, 'pool'));
    const projectId = join(loop, 'project');
    const { canonicalProjectId } = await server.call('memory.add_note', { ...note, projectId });
    expect(canonicalProjectId).toBe(projectId);
    const { items } = await server.call('memory.list_recent', { projectId });
    expect(items).toHaveLength(1);
  });

  it('is one, by whichever link it is reached', async () => {
    const real = join(home, 'real');
    mkdirSync(real);
    symlinkSync(real, join(home, 'link'));
    await server.call('memory.add_note', { ...note, projectId: join(home, 'link') });
    const { items } = await server.call('memory.list_recent', { projectId: real });
    expect(items).toHaveLength(1);
  });
});

describe('numbers', () => {
  it.each([
    ['memory.search', 'topK', { projectId: '/p', query: 'lantern' }, 100],
    ['memory.list_recent', 'limit', { projectId: '/p' }, 1000],
  ])('of %s have bounds', async (name, key, params, max) => {
    for (const bad of [-1, max + 1, 2 ** 53, -(2 ** 31)]) {
      const answer = await server.request(name, { ...params, [key]: bad });
      expect(answer, String(bad)).toMatchObject({ error: { code: -32602, data: { path: key } } });
    }
    for (const good of [0, 1, max]) {
      expect((await server.request(name, { ...params, [key]: good })).result).toBeDefined();
    }
  });

  it('of tags have a bound', async () => {
    const tags = Array.from({ length: 101 }, (_, index) => `t${index}`);
    expect(await server.request('memory.add_note', { ...note, tags })).toMatchObject({
      error: { code: -32602, data: { path: 'tags' } },
    });
    expect(
      (await server.request('memory.add_note', { ...note, tags: tags.slice(1) })).result,
    ).toBeDefined();
  });
});
