import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/index.ts';

const { resolve } = createRequire(import.meta.url);

/** The program of an installed package. */
function programOf(name: string): string {
  const manifest = resolve(`${name}/package.json`);
  return join(dirname(manifest), 'dist', 'index.js');
}

describe('our client', () => {
  it('uses server-everything', async () => {
    await using client = await connect({
      command: process.execPath,
      args: [programOf('@modelcontextprotocol/server-everything'), 'stdio'],
    });
    expect(client.agreement.era).toBe('legacy');
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(await client.callTool('echo', { message: 'hello' })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: hello' }],
    });
    const seen: number[] = [];
    const long = { duration: 0.3, steps: 3 };
    const slow = tools.find(({ name }) => name.includes('long') && name.includes('operation'));
    await client.callTool(slow?.name ?? '', long, {
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect(seen).toEqual([1, 2, 3]);
    expect((await client.listResources()).length).toBeGreaterThan(0);
    expect((await client.listPrompts()).length).toBeGreaterThan(0);
    await expect(
      client.callTool(slow?.name ?? '', { duration: 30, steps: 3 }, { timeoutMs: 100 }),
    ).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    await client.ping();
  });

  it('uses server-memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tincan-'));
    try {
      await using client = await connect({
        command: process.execPath,
        args: [programOf('@modelcontextprotocol/server-memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
      });
      const entities = [
        { name: 'tincan', entityType: 'project', observations: ['two cans and a line'] },
      ];
      await client.callTool('create_entities', { entities });
      const { structuredContent } = await client.callTool('search_nodes', { query: 'cans' });
      expect(JSON.stringify(structuredContent)).toContain('two cans and a line');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('uses server-filesystem', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tincan-'));
    try {
      await writeFile(join(folder, 'note.txt'), 'on the line');
      await using client = await connect({
        command: process.execPath,
        args: [programOf('@modelcontextprotocol/server-filesystem'), folder],
      });
      const result = await client.callTool('read_text_file', { path: join(folder, 'note.txt') });
      expect(JSON.stringify(result)).toContain('on the line');
      expect(await client.callTool('read_text_file', { path: '/etc/passwd' })).toMatchObject({
        isError: true,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('uses servers built on the official version 2, in the modern era', async () => {
    const program = fileURLToPath(new URL('fixtures/sdk-v2-server.mjs', import.meta.url));
    await using client = await connect({ command: process.execPath, args: [program] });
    expect(client.agreement).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect(await client.callTool('add', { a: 2, b: 3 })).toMatchObject({
      structuredContent: { sum: 5 },
    });
    await expect(client.callTool('nope')).rejects.toMatchObject({ rpcCode: -32602 });
  });

  it('survives a server that exits at a question it does not know', async () => {
    const program = fileURLToPath(new URL('fixtures/touchy-server.mjs', import.meta.url));
    await using client = await connect({ command: process.execPath, args: [program] });
    expect(client.agreement.era).toBe('legacy');
    expect(await client.listTools()).toEqual([]);
  });
});
