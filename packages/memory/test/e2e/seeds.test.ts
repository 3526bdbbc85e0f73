import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTempFolder } from '../store/temp-folder.ts';
import { type Answer, MemoryProgram } from './memory-program.ts';

const folder = makeTempFolder();
let homes = 0;

/** A home nobody has used yet. */
function freshHome(config?: object): string {
  homes++;
  const home = join(folder, String(homes));
  mkdirSync(home);
  if (config !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return home;
}

const GET_CONFIG = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}';
const configuration = {
  transportDefaults: { defaultTransport: 'stdio' },
  embedder: { provider: 'local', dim: expect.any(Number), baseUrl: null },
  store: { type: 'sqlite', url: null },
  paths: { configPath: expect.any(String), dataDir: expect.any(String) },
};
const MIB = 1024 * 1024;

/** An `add_note` of exactly so many bytes, without the end of its line. */
function requestOf(bytes: number): string {
  const params = { projectId: '/p', groupId: 'g', text: '' };
  const request = { jsonrpc: '2.0', id: 1, method: 'memory.add_note', params };
  const text = 'word '.repeat(bytes).slice(0, bytes - JSON.stringify(request).length);
  return JSON.stringify({ ...request, params: { ...params, text } });
}

describe('the stdio transport (seed 000)', () => {
  describe('normal', () => {
    it('1. a single request and its answer', async () => {
      await using server = new MemoryProgram(freshHome());
      const answer = await server.ask(GET_CONFIG);
      expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1, result: configuration });
      await server.end();
      expect(server.stdout.split('\n')).toHaveLength(2);
    });

    it('2. several requests, one after the other', async () => {
      await using server = new MemoryProgram(freshHome());
      server.write(`${GET_CONFIG}\n${GET_CONFIG.replace('1,', '2,')}\n`);
      expect(await server.end()).toEqual({ code: 0, signal: null });
      const answers = server.stdout.trimEnd().split('\n');
      expect(answers.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
    });

    it('3. blank lines are skipped', async () => {
      await using server = new MemoryProgram(freshHome());
      server.write(`\n  \n${GET_CONFIG}\n\r\n\n`);
      expect(await server.end()).toEqual({ code: 0, signal: null });
      expect(server.stdout.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(server.stdout)).toMatchObject({ id: 1, result: configuration });
    });

    it('4. a text with line breaks stays on one line', async () => {
      await using server = new MemoryProgram(freshHome());
      const text = 'first\nsecond\r\nthird\u2028fourth';
      const { id } = await server.call('memory.add_note', { projectId: '/p', groupId: 'g', text });
      expect(await server.call('memory.get', { id })).toMatchObject({ text });
      await server.end();
      expect(server.stdout.trimEnd().split('\n')).toHaveLength(2);
      expect(server.stdout).toContain('first\\nsecond\\r\\nthird');
    });
  });

  describe('abnormal', () => {
    it('5. bad JSON is a parse error, and the server goes on', async () => {
      await using server = new MemoryProgram(freshHome());
      expect(await server.ask('{invalid json}')).toMatchObject({
        id: null,
        error: { code: -32700, message: 'Parse error' },
      });
      expect(await server.ask(GET_CONFIG)).toMatchObject({ id: 1, result: configuration });
    });

    it('6. an unknown method is not found', async () => {
      await using server = new MemoryProgram(freshHome());
      expect(await server.request('memory.nope')).toMatchObject({
        error: { code: -32601, message: 'Method not found' },
      });
    });
  });

  describe('shutdown', () => {
    it.each(['SIGINT', 'SIGTERM'] as const)('7. %s cancels: the server ends', async (signal) => {
      await using server = new MemoryProgram(freshHome());
      await server.ask(GET_CONFIG);
      server.child.kill(signal);
      expect(await server.ended).toEqual({ code: 0, signal: null });
    });

    it('8. the end of input ends the server well', async () => {
      await using server = new MemoryProgram(freshHome());
      expect(await server.end()).toEqual({ code: 0, signal: null });
      expect(server.stderr).toBe('');
    });
  });

  describe('limits', () => {
    it('9. a large request below 1 MiB is worked on', async () => {
      await using server = new MemoryProgram(freshHome());
      const answer = await server.ask(requestOf(MIB - 1));
      expect(answer.result).toMatchObject({ canonicalProjectId: '/p' });
    });

    it('takes a request of exactly 1 MiB', async () => {
      await using server = new MemoryProgram(freshHome());
      expect((await server.ask(requestOf(MIB))).result).toBeDefined();
    });

    it('10. a request over 1 MiB is refused by its id, and the session lives', async () => {
      await using server = new MemoryProgram(freshHome());
      expect(await server.ask(requestOf(MIB + 1))).toMatchObject({
        id: 1,
        error: { code: -32600, data: { limit: MIB, size: MIB + 1 } },
      });
      expect(await server.ask(GET_CONFIG)).toMatchObject({ id: 1, result: configuration });
    });
  });
});

describe('the method handler (seed 002)', () => {
  const server = new MemoryProgram(freshHome());
  const keyless = new MemoryProgram(freshHome());

  afterAll(async () => {
    await server.end();
    await keyless.end();
  });

  const note = { projectId: '/seed', groupId: 'global', text: 'the lantern is green' };
  const add = async (more: object = {}): Promise<string> =>
    String((await server.call('memory.add_note', { ...note, ...more }))['id']);
  const invalid = (message: string, path: string): object => ({
    error: { code: -32602, message, data: { path } },
  });
  const without = (params: object, key: string): object =>
    Object.fromEntries(Object.entries(params).filter(([name]) => name !== key));

  describe('1. parsing', () => {
    it.each([
      ['bad JSON', '{"jsonrpc":', -32700],
      ['jsonrpc other than 2.0', '{"jsonrpc":"1.0","id":1,"method":"memory.get_config"}', -32600],
      ['no jsonrpc', '{"id":1,"method":"memory.get_config"}', -32600],
      ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ])('%s', async (_, line, code) => {
      expect((await server.ask(line)).error?.code).toBe(code);
    });
  });

  describe('2. dispatch', () => {
    it('an unknown method is not found', async () => {
      expect((await server.request('memory.unknown')).error?.code).toBe(-32601);
    });

    it('every method of the contract reaches its operation', async () => {
      const id = await add();
      const group = await server.call('memory.group_create', {
        projectId: '/seed',
        groupKey: 'dispatch',
        title: 'D',
      });
      const calls: [string, object, object][] = [
        ['search', { projectId: '/seed', query: 'lantern' }, { results: expect.any(Array) }],
        ['get', { id }, { id }],
        ['update', { id, patch: { title: 'T' } }, { ok: true }],
        ['list_recent', { projectId: '/seed' }, { items: expect.any(Array) }],
        ['get_config', {}, configuration],
        ['set_config', {}, { ok: true }],
        ['upsert_global', { projectId: '/seed', key: 'global.d', value: 1 }, { ok: true }],
        ['get_global', { projectId: '/seed', key: 'global.d' }, { found: true, value: 1 }],
        ['group_get', { id: group['id'] }, { groupKey: 'dispatch' }],
        ['group_update', { id: group['id'], patch: { title: 'E' } }, { ok: true }],
        ['group_list', { projectId: '/seed' }, { groups: [{ title: 'E' }] }],
        ['group_delete', { id: group['id'] }, { ok: true }],
        ['delete', { id }, { ok: true }],
      ];
      for (const [name, params, result] of calls) {
        expect(await server.call(`memory.${name}`, params), name).toMatchObject(result);
      }
    });
  });

  describe('3. memory.add_note', () => {
    it('answers id, namespace and the canonical project', async () => {
      const result = await server.call('memory.add_note', note);
      expect(result).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        namespace: expect.stringMatching(/^local:[^:]+:\d+$/),
        canonicalProjectId: '/seed',
      });
    });

    it.each(['projectId', 'groupId', 'text'])('refuses to go without %s', async (key) => {
      const answer = await server.request('memory.add_note', without(note, key));
      expect(answer).toMatchObject(invalid(`${key} is required`, key));
    });
  });

  describe('4. memory.search', () => {
    it('answers namespace and results', async () => {
      const id = await add({ projectId: '/seed4', text: 'a sparrow on the antenna' });
      const result = await server.call('memory.search', { projectId: '/seed4', query: 'sparrow' });
      expect(result).toMatchObject({ namespace: expect.any(String), results: [{ id }] });
    });

    it('answers five where topK is not given', async () => {
      for (let count = 0; count < 7; count++) {
        await add({ projectId: '/seed-five', text: `the sparrow ${count}` });
      }
      const params = { projectId: '/seed-five', query: 'sparrow' };
      expect((await server.call('memory.search', params))['results']).toHaveLength(5);
    });

    it.each(['projectId', 'query'])('refuses to go without %s', async (key) => {
      const params = without({ projectId: '/seed', query: 'x' }, key);
      const answer = await server.request('memory.search', params);
      expect(answer).toMatchObject(invalid(`${key} is required`, key));
    });
  });

  describe('5. memory.get', () => {
    it('answers the note', async () => {
      const id = await add({ title: 'T', tags: ['a'], source: 's', metadata: { n: 1 } });
      expect(await server.call('memory.get', { id })).toEqual({
        id,
        ...note,
        title: 'T',
        tags: ['a'],
        source: 's',
        metadata: { n: 1 },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        revision: 1,
        namespace: expect.any(String),
      });
    });

    it('refuses to go without id', async () => {
      const answer = await server.request('memory.get', {});
      expect(answer).toMatchObject(invalid('id is required', 'id'));
    });

    it('finds no note of an unknown id', async () => {
      expect(await server.request('memory.get', { id: 'nope' })).toMatchObject({
        error: { code: -32003, message: 'Note not found' },
      });
    });
  });

  describe('6. memory.update', () => {
    it('answers ok', async () => {
      const id = await add();
      const params = { id, patch: { text: 'the lantern is red' } };
      expect(await server.call('memory.update', params)).toEqual({ ok: true });
      expect(await server.call('memory.get', { id })).toMatchObject(params.patch);
    });

    it('refuses to go without id', async () => {
      const answer = await server.request('memory.update', { patch: {} });
      expect(answer).toMatchObject(invalid('id is required', 'id'));
    });

    it('finds no note of an unknown id', async () => {
      const answer = await server.request('memory.update', { id: 'nope', patch: {} });
      expect(answer.error?.code).toBe(-32003);
    });
  });

  describe('7. memory.list_recent', () => {
    it('answers namespace and items', async () => {
      const id = await add({ projectId: '/seed7' });
      expect(await server.call('memory.list_recent', { projectId: '/seed7' })).toMatchObject({
        namespace: expect.any(String),
        items: [{ id, namespace: expect.any(String) }],
      });
    });

    it('refuses to go without projectId', async () => {
      const answer = await server.request('memory.list_recent', {});
      expect(answer).toMatchObject(invalid('projectId is required', 'projectId'));
    });
  });

  describe('8. memory.get_config', () => {
    it('answers transportDefaults, embedder, store and paths', async () => {
      const result = await server.call('memory.get_config');
      expect(result).toMatchObject(configuration);
      expect(Object.keys(result)).toHaveLength(4);
    });
  });

  describe('9. memory.set_config', () => {
    it('answers ok and the namespace in force', async () => {
      await using own = new MemoryProgram(freshHome());
      const result = await own.call('memory.set_config', { embedder: { provider: 'none' } });
      expect(result).toEqual({ ok: true, effectiveNamespace: expect.stringMatching(/^none:/) });
      const { embedder } = await own.call('memory.get_config');
      expect(embedder).toMatchObject({ provider: 'none' });
    });

    it('says that openai needs a key', async () => {
      const params = { embedder: { provider: 'openai' } };
      const answer = await keyless.request('memory.set_config', params);
      expect(answer.error?.code).toBe(-32001);
      const { embedder } = await keyless.call('memory.get_config');
      expect(embedder).toMatchObject({ provider: 'local' });
    });
  });

  describe('10. memory.upsert_global', () => {
    const params = { projectId: '/seed10', key: 'global.project.conventions', value: { tab: 2 } };

    it('answers ok, id and namespace', async () => {
      const result = await server.call('memory.upsert_global', params);
      expect(result).toEqual({ ok: true, id: expect.any(String), namespace: expect.any(String) });
    });

    it('refuses a key that does not begin with "global."', async () => {
      const answer = await server.request('memory.upsert_global', {
        ...params,
        key: 'conventions',
      });
      expect(answer).toMatchObject({
        error: { code: -32002, message: "key must start with 'global.'" },
      });
    });

    it('refuses to go without projectId', async () => {
      const answer = await server.request('memory.upsert_global', without(params, 'projectId'));
      expect(answer).toMatchObject(invalid('projectId is required', 'projectId'));
    });
  });

  describe('11. memory.get_global', () => {
    it('answers the value that is there', async () => {
      const at = { projectId: '/seed11', key: 'global.k' };
      await server.call('memory.upsert_global', { ...at, value: [1, null, '文章'] });
      const result = await server.call('memory.get_global', at);
      expect(result).toMatchObject({ found: true, value: [1, null, '文章'] });
    });

    it('answers found: false and nulls for one that is not', async () => {
      const params = { projectId: '/seed11', key: 'global.none' };
      expect(await server.call('memory.get_global', params)).toEqual({
        namespace: expect.any(String),
        found: false,
        id: null,
        value: null,
        updatedAt: null,
        revision: null,
      });
    });

    it.each(['projectId', 'key'])('refuses to go without %s', async (key) => {
      const params = without({ projectId: '/seed11', key: 'global.k' }, key);
      const answer = await server.request('memory.get_global', params);
      expect(answer).toMatchObject(invalid(`${key} is required`, key));
    });
  });

  describe('12. more errors', () => {
    const refused: [string, string, object, string][] = [
      ['groupId with wrong characters', 'add_note', { ...note, groupId: 'a b' }, 'groupId'],
      ['createdAt that is no time', 'add_note', { ...note, createdAt: 'today' }, 'createdAt'],
      ['since that is no time', 'search', { projectId: '/p', query: 'x', since: 'today' }, 'since'],
      [
        'until that is no time',
        'search',
        { projectId: '/p', query: 'x', until: '2024-13-01' },
        'until',
      ],
      [
        'updatedAt that is no time',
        'upsert_global',
        { projectId: '/p', key: 'global.k', value: 1, updatedAt: '1' },
        'updatedAt',
      ],
    ];

    it.each(refused)('%s is refused', async (_, name, params, path) => {
      const answer: Answer = await server.request(`memory.${name}`, params);
      expect(answer).toMatchObject({ error: { code: -32602, data: { path } } });
    });

    it('null in a patch clears title, source and metadata', async () => {
      const id = await add({ title: 'T', source: 's', metadata: { n: 1 } });
      const patch = { title: null, source: null, metadata: null };
      expect(await server.call('memory.update', { id, patch })).toEqual({ ok: true });
      expect(await server.call('memory.get', { id })).toMatchObject({ ...note, ...patch });
    });

    it('null in a patch is no groupId', async () => {
      const answer = await server.request('memory.update', {
        id: await add(),
        patch: { groupId: null },
      });
      expect(answer).toMatchObject(invalid('groupId is required', 'patch.groupId'));
    });

    it('set_config without an embedder changes nothing and answers ok', async () => {
      const before = await server.call('memory.get_config');
      expect(await server.call('memory.set_config', {})).toMatchObject({ ok: true });
      expect(await server.call('memory.get_config')).toEqual(before);
    });
  });
});
