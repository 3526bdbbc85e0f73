import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FrameDecoder } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { startFakeProvider } from '../embed/fake-provider.ts';
import { makeTempFolder } from '../store/temp-folder.ts';
import { type Answer, MemoryProgram, quiet, residentPeak } from './memory-program.ts';

const folder = makeTempFolder();
let homes = 0;

function freshHome(config: object = {}): string {
  homes++;
  const home = join(folder, String(homes));
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return home;
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const note = { projectId: '/p', groupId: 'g', text: 'the lantern is green' };

function frame(message: object): string {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** The messages of an output in frames with headers. */
function unframe(output: string): Answer[] {
  const decoder = new FrameDecoder();
  return decoder
    .push(Buffer.from(output))
    .flatMap((decoded) => ('value' in decoded ? [decoded.value as Answer] : []));
}

describe('one line', () => {
  it('serves the methods and the Model Context Protocol side by side', async () => {
    await using server = new MemoryProgram(freshHome());
    expect(await server.call('initialize', initialize)).toMatchObject({
      protocolVersion: '2025-06-18',
    });
    server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const { id } = await server.call('memory.add_note', note);
    const got = await server.call('tools/call', { name: 'memory_get', arguments: { id } });
    expect(got['structuredContent']).toEqual(await server.call('memory.get', { id }));
    expect(await server.call('ping')).toEqual({});
  });

  it('answers modern requests without a handshake', async () => {
    await using server = new MemoryProgram(freshHome());
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect(await server.call('server/discover', { _meta })).toMatchObject({
      supportedVersions: ['2026-07-28'],
    });
  });

  it('takes effect in the order of its calls, however they are piped', async () => {
    await using server = new MemoryProgram(freshHome());
    const key = { projectId: '/p', key: 'global.count' };
    const calls: [string, object][] = [
      ['add_note', note],
      ['search', { projectId: '/p', query: 'lantern' }],
      ['add_note', { ...note, text: `${note.text}, again` }],
      ['list_recent', { projectId: '/p' }],
      ...[1, 2, 3].map((value): [string, object] => ['upsert_global', { ...key, value }]),
      ['get_global', key],
    ];
    for (const [id, [name, params]] of calls.entries()) {
      server.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: `memory.${name}`, params })}\n`);
    }
    await server.end();
    const answers = server.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
      .sort((a, b) => Number(a.id) - Number(b.id));
    expect(answers[1]?.result?.['results']).toHaveLength(1);
    expect(answers[3]?.result?.['items']).toHaveLength(2);
    expect(answers[7]?.result).toMatchObject({ found: true, value: 3 });
  });

  it('speaks frames with headers to whoever begins with one', async () => {
    await using server = new MemoryProgram(freshHome());
    server.write(frame({ id: 1, method: 'initialize', params: initialize }));
    server.write(
      frame({ id: 2, method: 'memory.add_note', params: { ...note, text: '灯\r\n籠' } }),
    );
    server.write(frame({ id: 3, method: 'memory.list_recent', params: { projectId: '/p' } }));
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.stdout).toMatch(/^Content-Length: \d+\r\n\r\n\{/);
    expect(unframe(server.stdout)).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'tincan-memory' } } },
      { id: 2, result: { canonicalProjectId: '/p' } },
      { id: 3, result: { items: [{ text: '灯\r\n籠' }] } },
    ]);
  });

  it('carries nothing but messages, whatever the program writes', async () => {
    const home = freshHome();
    const noise = join(home, 'noise.mjs');
    writeFileSync(
      noise,
      `process.once('SIGUSR2', () => {
        setInterval(() => { console.log('stray'); process.stdout.write('bytes'); }, 1).unref();
      });`,
    );
    await using server = new MemoryProgram(home, { node: ['--import', noise] });
    await server.call('ping');
    server.child.kill('SIGUSR2');
    for (let count = 0; count < 20; count++) await server.call('memory.add_note', note);
    server.write('junk\n');
    await server.line();
    expect(await server.end()).toEqual({ code: 0, signal: null });
    const lines = server.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(22);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr).toContain('stray');
  });
});

describe('start', () => {
  it('answers before there is a store, and without asking the provider of a model', async () => {
    const provider = await startFakeProvider();
    try {
      const home = freshHome({
        embedder: { provider: 'openai', baseUrl: provider.url, apiKey: 'sk-none' },
      });
      await using server = new MemoryProgram(home);
      await server.call('initialize', initialize);
      await server.call('tools/list');
      await server.call('prompts/list');
      expect(existsSync(join(home, 'data'))).toBe(false);
      expect(provider.requests).toEqual([]);
      await server.call('memory.add_note', note);
      expect(existsSync(join(home, 'data/memory.db'))).toBe(true);
    } finally {
      await provider.close();
    }
  });

  it.runIf(process.platform === 'linux')(
    'loads neither the database nor the local model for its first answers',
    async () => {
      await using server = new MemoryProgram(freshHome());
      await server.call('initialize', initialize);
      await server.call('tools/list');
      const isOpen = (): boolean =>
        readdirSync(`/proc/${server.pid}/fd`).some((fd) =>
          readLinkIfThere(`/proc/${server.pid}/fd/${fd}`).endsWith('/memory.db'),
        );
      const bytesRead = (): number =>
        Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${server.pid}/io`, 'utf8'))?.[1]);
      const model = readFileSync(new URL('../../data/static/vectors.i8', import.meta.url)).length;
      expect(isOpen()).toBe(false);
      expect(bytesRead()).toBeLessThan(model);
      await server.call('memory.add_note', note);
      await server.call('memory.search', { projectId: '/p', query: 'lantern' });
      expect(isOpen()).toBe(true);
      expect(bytesRead()).toBeGreaterThan(model);
    },
  );

  it('stores and finds notes while the provider does not answer', async () => {
    const provider = await startFakeProvider();
    provider.isSilent = true;
    try {
      const home = freshHome({
        embedder: { provider: 'openai', dim: 8, baseUrl: provider.url, apiKey: 'sk-none' },
      });
      await using server = new MemoryProgram(home);
      const { id } = await server.call('memory.add_note', note);
      const found = await server.call('memory.search', { projectId: '/p', query: 'lantern' });
      expect(found).toMatchObject({ results: [{ id }], warning: { code: -32004 } });
    } finally {
      await provider.close();
    }
  });
});

describe('a client that reads no answer', () => {
  it.runIf(process.platform === 'linux')(
    'makes the server neither run all of its calls nor grow with them',
    { timeout: 60_000 },
    async () => {
      await using server = new MemoryProgram(freshHome());
      const text = 'all work and no play '.repeat(5_000);
      for (let n = 0; n < 20; n++)
        await server.call('memory.add_note', { ...note, text: `${n} ${text}` });
      const before = residentPeak(server.pid);
      server.child.stdout?.pause();
      const params = { projectId: '/p', limit: 20 };
      const calls = Array.from({ length: 1_000 }, (_, id) =>
        JSON.stringify({ jsonrpc: '2.0', id: id + 1_000, method: 'memory.list_recent', params }),
      );
      server.write(`${calls.join('\n')}\n`);
      await quiet(server.pid);
      // All of the answers together are some 2 GB; those of 256 calls are 500 MB.
      expect(residentPeak(server.pid) - before).toBeLessThan(400);
      server.child.stdout?.resume();
      expect(JSON.parse(await server.line())).toMatchObject({ id: 1_000 });
    },
  );
});

describe('a shared store', () => {
  it('keeps every acknowledged note when its process is killed right after the answer', async () => {
    const home = freshHome();
    const acknowledged: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      await using server = new MemoryProgram(home);
      for (let count = 0; count <= round; count++) {
        const text = `${note.text} ${round} ${count}`;
        acknowledged.push((await server.call('memory.add_note', { ...note, text }))['id']);
      }
      server.child.kill('SIGKILL');
      expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
    }
    await using server = new MemoryProgram(home);
    const { items } = await server.call('memory.list_recent', { projectId: '/p', limit: 100 });
    const kept = (items as { id: string }[]).map(({ id }) => id);
    expect(kept.sort()).toEqual(acknowledged.sort());
  });

  it('shows the notes of one process to another at once', async () => {
    const home = freshHome();
    await using first = new MemoryProgram(home);
    await using second = new MemoryProgram(home);
    const search = { projectId: '/p', query: 'lantern', topK: 100 };
    for (let count = 1; count <= 10; count++) {
      const [writer, reader] = count % 2 === 0 ? [first, second] : [second, first];
      const written = { ...note, text: `${note.text} ${count}` };
      const { id } = await writer.call('memory.add_note', written);
      expect(await reader.call('memory.get', { id })).toMatchObject(written);
      expect((await reader.call('memory.search', search))['results']).toHaveLength(count);
      await reader.call('memory.update', { id, patch: { title: String(count) } });
      expect(await writer.call('memory.get', { id })).toMatchObject({ title: String(count) });
    }
  });
});

/** Where a descriptor leads; it may be closed by now. */
function readLinkIfThere(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
