import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../store/temp-folder.ts';
import { environment, MAIN, MemoryProgram } from './memory-program.ts';

interface Start {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly config?: object;
}

function homeWith(config: object | undefined): string {
  const home = makeTempFolder();
  if (config !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return home;
}

/** How the server ends that cannot start. */
function failedStart({ args = [], env = {}, config }: Start): { status: unknown; stderr: string } {
  return spawnSync(process.execPath, [MAIN, ...args], {
    env: environment(homeWith(config), env),
    encoding: 'utf8',
    input: '',
  });
}

const SET_CONFIG = {
  name: 'memory_set_config',
  arguments: { embedder: { provider: 'none' } },
};

describe('the toolset on stdio', () => {
  it.each<[string, number, Start]>([
    ['the default', 8, {}],
    ['the option core', 8, { args: ['serve', '--toolset', 'core'] }],
    ['the option all', 15, { args: ['serve', '--toolset', 'all'] }],
    ['the variable', 15, { env: { TINCAN_TOOLSET: 'all' } }],
    ['the file', 15, { config: { toolset: 'all' } }],
    [
      'the variable over the file',
      8,
      { config: { toolset: 'all' }, env: { TINCAN_TOOLSET: 'core' } },
    ],
    [
      'the option over the variable',
      8,
      { args: ['serve', '--toolset', 'core'], env: { TINCAN_TOOLSET: 'all' } },
    ],
  ])('is set by %s: %i tools', async (_, count, { config, ...start }) => {
    await using server = new MemoryProgram(homeWith(config), start);
    const { tools } = await server.call('tools/list');
    expect(tools).toHaveLength(count);
    const answer = await server.request('tools/call', SET_CONFIG);
    if (count === 15) expect(answer.result).toMatchObject({ structuredContent: { ok: true } });
    else expect(answer.error).toMatchObject({ code: -32602, data: { toolset: 'all' } });
    const { embedder } = await server.call('memory.get_config');
    expect(embedder).toMatchObject({ provider: count === 15 ? 'none' : 'local' });
  });

  it.each<[string, number, Start, RegExp]>([
    ['option', 2, { args: ['serve', '--toolset', 'some'] }, /`--toolset`.*`core` or `all`/],
    ['variable', 3, { env: { TINCAN_TOOLSET: 'some' } }, /`TINCAN_TOOLSET`.*core, all, got `some`/],
    ['file', 3, { config: { toolset: 'some' } }, /`toolset`: expected one of `core`, `all`/],
    ['key', 3, { config: { tollset: 'all' } }, /`tollset`: unknown key, did you mean `toolset`\?/],
  ])('refuses a wrong %s, with the exit code %i', (_, code, start, message) => {
    const { status, stderr } = failedStart(start);
    expect(status).toBe(code);
    expect(stderr).toMatch(message);
  });

  it('stays in the file when set_config changes the embedder', async () => {
    const home = homeWith({ toolset: 'all' });
    await using server = new MemoryProgram(home);
    await server.call('tools/call', SET_CONFIG);
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toMatchObject({
      toolset: 'all',
      embedder: { provider: 'none' },
    });
  });

  it.each<[string, Start]>([
    ['core (default)', {}],
    ['all (set by TINCAN_TOOLSET)', { env: { TINCAN_TOOLSET: 'all' } }],
    ['all (set by config.json)', { config: { toolset: 'all' } }],
  ])('is told by doctor: %s', (message, { config, env = {} }) => {
    const { stdout } = spawnSync(process.execPath, [MAIN, 'doctor', '-f', 'json'], {
      env: environment(homeWith(config), env),
      encoding: 'utf8',
    });
    const { checks } = JSON.parse(stdout) as { checks: object[] };
    expect(checks).toContainEqual({ name: 'toolset', status: 'ok', message });
  });
});

describe('what a model writes, on stdio', () => {
  const tool = (server: MemoryProgram, name: string, args: object) =>
    server.call('tools/call', { name: `memory_${name}`, arguments: args });
  const errorOf = (result: Record<string, unknown>): unknown =>
    result['isError'] === true && (result['content'] as { text: string }[])[0]?.text;

  it('is saved, found, changed and never ignored', async () => {
    await using server = new MemoryProgram(makeTempFolder());
    const projectId = '/p';
    const added = await tool(server, 'add_note', { projectId, text: 'Deploys run on Tuesdays' });
    const { id } = added['structuredContent'] as { id: string };
    const args = { projectId, query: 'deploys', topK: '3' };
    expect(await tool(server, 'search', args)).toMatchObject({
      structuredContent: { results: [{ id, groupId: 'global' }] },
    });
    expect(errorOf(await tool(server, 'update', { id, text: 'Fridays' }))).toMatch(
      /^unknown parameter `text`, put it inside `patch`/,
    );
    await tool(server, 'update', { id, patch: { text: 'Deploys run on Fridays' } });
    expect(await server.call('memory.get', { id })).toMatchObject({
      text: 'Deploys run on Fridays',
      revision: 2,
    });
    expect(errorOf(await tool(server, 'delete', { id, force: true }))).toMatch(
      /^unknown parameter `force`/,
    );
    await tool(server, 'delete', { id });
    const { error } = await server.request('memory.get', { id });
    expect(error?.code).toBe(-32003);
  });

  it('is refused by the JSON-RPC methods where they are stricter', async () => {
    await using server = new MemoryProgram(makeTempFolder());
    const params = { projectId: '/p', query: 'x', topK: '3' };
    expect((await server.request('memory.search', params)).error).toMatchObject({
      code: -32602,
      data: { path: 'topK' },
    });
    const note = { projectId: '/p', text: 'x' };
    expect((await server.request('memory.add_note', note)).error).toMatchObject({
      code: -32602,
      data: { path: 'groupId' },
    });
  });
});

describe('an import', () => {
  it('keeps unknown members of notes under metadata and says so', async () => {
    const home = makeTempFolder();
    const folder = join(home, 'in');
    mkdirSync(folder);
    const file = join(folder, 'export.jsonl');
    const records = [
      {
        kind: 'note',
        projectId: '/p',
        groupId: 'g',
        text: 'one',
        colour: 'red',
        metadata: { a: 1 },
      },
      { kind: 'note', projectId: '/p', groupId: 'g', text: 'two', 'e\u001b[1m': { deep: [1] } },
      { kind: 'note', projectId: '/p', groupId: 'g', text: 'three', a: 2, metadata: { a: 1 } },
      { kind: 'group', projectId: '/p', groupKey: 'g', title: 'G', owner: 'ann' },
    ];
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
    const run = (format: string): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, [MAIN, 'import', '--dry-run', '-f', format, file], {
        env: environment(home),
        encoding: 'utf8',
      });
    const { stdout, stderr } = run('text');
    expect(stdout).toContain(
      'Unknown members of 2 notes kept under metadata: "colour", "e\\u001b[1m"\n',
    );
    expect(stdout).toContain('Unknown members of 1 groups or values ignored: "owner"\n');
    expect(stderr).toContain('unknown member `a`, and metadata.a has another value');
    expect(`${stdout}${stderr}`).not.toContain('\u001b[1m');
    const { stdout: json } = spawnSync(process.execPath, [MAIN, 'import', '-f', 'json', file], {
      env: environment(home),
      encoding: 'utf8',
    });
    expect(JSON.parse(json)).toMatchObject({
      refused: 1,
      unknown: {
        kept: { records: 2, names: ['colour', 'e\u001b[1m'] },
        ignored: { records: 1, names: ['owner'] },
      },
    });
    await using server = new MemoryProgram(home);
    const { items } = await server.call('memory.list_recent', { projectId: '/p' });
    const held = (items as { text: string; metadata: unknown }[]).map(
      ({ text, metadata }) => [text, metadata] as const,
    );
    expect(Object.fromEntries(held)).toEqual({
      one: { a: 1, colour: 'red' },
      two: { 'e\u001b[1m': { deep: [1] } },
    });
  });
});
