import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../embed/fake-provider.ts';
import { runtimeIn, writeModel } from '../embed/onnx/model-files.ts';
import { makeTempFolder } from '../store/temp-folder.ts';
import { type Answer, MemoryProgram } from './memory-program.ts';

const folder = makeTempFolder();
const TOKEN = 'token-of-the-tests';
let homes = 0;

function freshHome(config: object = {}): string {
  homes++;
  const home = join(folder, String(homes));
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  return home;
}

const note = { projectId: '/p', groupId: 'g', text: 'the lantern is green' };
const question = { projectId: '/p', query: 'which lantern' };

/** Uses the embedder in every way there is. */
async function useEmbedder(server: MemoryProgram): Promise<void> {
  await server.request('memory.add_note', note);
  await server.request('memory.search', question);
  await server.request('memory.get_config');
}

describe('a model folder with a planted runtime', () => {
  const models: string[] = [];
  afterAll(() => {
    for (const model of models) rmSync(model, { recursive: true });
  });

  /** A model; whoever loads the runtime beside it leaves a marker. */
  function plant(): { model: string; marker: string } {
    const marker = join(folder, `marker-${models.length}`);
    const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'ran');`;
    const model = writeModel({ 'node_modules/onnxruntime-node/index.js': code });
    models.push(model);
    return { model, marker };
  }

  it('runs no code for a request on stdio, as a method or as a tool, nor after a restart', async () => {
    const { model, marker } = plant();
    const home = freshHome();
    const embedder = { provider: 'onnx', model };
    {
      await using server = new MemoryProgram(home);
      const answer = await server.request('memory.set_config', { embedder });
      expect(answer.error).toMatchObject({ code: -32602, data: { path: 'embedder.provider' } });
      expect(answer.error?.message).toContain(join(home, 'config.json'));
      await server.call('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      const asTool = await server.request('tools/call', {
        name: 'memory_set_config',
        arguments: { embedder },
      });
      expect(asTool.result?.['isError'] ?? asTool.error).toBeTruthy();
      await server.request('memory.set_config', { embedder: { provider: 'ollama', model } });
      await useEmbedder(server);
      await server.end();
    }
    await using again = new MemoryProgram(home);
    await useEmbedder(again);
    await again.end();
    expect(existsSync(marker)).toBe(false);
    expect(readFileSync(join(home, 'config.json'), 'utf8')).not.toContain(model);
  });

  it('runs no code for a request over HTTP', async () => {
    const { model, marker } = plant();
    await using server = new MemoryProgram(freshHome(), {
      args: ['serve', '--transport', 'http', '--port', '0'],
      env: { TINCAN_TOKEN: TOKEN },
    });
    const url = await new Promise<string>((resolve) => {
      server.child.stderr?.on('data', () => {
        const [found] = /http:\/\/\S+:\d+/.exec(server.stderr) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const post = async (method: string, params: object): Promise<Answer> => {
      const response = await fetch(`${url}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return (await response.json()) as Answer;
    };
    const embedder = { provider: 'onnx', model };
    expect((await post('memory.set_config', { embedder })).error?.code).toBe(-32602);
    expect((await post('memory.add_note', note)).result).toBeDefined();
    expect((await post('memory.search', question)).result).toBeDefined();
    server.child.kill('SIGTERM');
    await server.ended;
    expect(existsSync(marker)).toBe(false);
  });

  it('runs no code for a configuration of an earlier version, and names the line to add', async () => {
    const { model, marker } = plant();
    const embedder = { provider: 'onnx', model };
    await using server = new MemoryProgram(freshHome({ embedder }));
    await useEmbedder(server);
    const { result } = await server.request('memory.search', question);
    expect(JSON.stringify(result?.['warning'])).toContain(
      JSON.stringify(`"runtime": ${JSON.stringify(runtimeIn(model))}`).slice(1, -1),
    );
    await server.end();
    expect(existsSync(marker)).toBe(false);
  });

  it('runs the runtime that the owner names in the file, the environment or on the command line', async () => {
    const model = writeModel();
    models.push(model);
    const runtime = runtimeIn(model);
    const vectors = { provider: 'onnx', model: expect.stringContaining(model), dim: 64 };
    const ways = [
      { config: { embedder: { provider: 'onnx', model, runtime } } },
      {
        env: {
          TINCAN_EMBEDDER_PROVIDER: 'onnx',
          TINCAN_EMBEDDER_MODEL: model,
          TINCAN_EMBEDDER_RUNTIME: runtime,
        },
      },
      { args: ['serve', '--embedder', 'onnx', '--model', model, '--runtime', runtime] },
    ];
    for (const { config = {}, env = {}, args = [] } of ways) {
      await using server = new MemoryProgram(freshHome(config), { env, args });
      await server.call('memory.add_note', note);
      const { results, warning } = await server.call('memory.search', question);
      expect({ results, warning }).toMatchObject({ results: [{ text: note.text }] });
      expect(warning).toBeUndefined();
      expect(await server.call('memory.get_config')).toMatchObject({ embedder: vectors });
      await server.end();
    }
  });
});

describe('an API key', () => {
  let mine: FakeProvider;
  let evil: FakeProvider;
  beforeEach(async () => {
    mine = await startFakeProvider();
    evil = await startFakeProvider();
  });
  afterEach(async () => {
    await mine.close();
    await evil.close();
  });

  it('never reaches an address that a request named without a key', async () => {
    const embedder = { provider: 'openai', model: 'm', baseUrl: mine.url, apiKey: 'sk-mine' };
    const home = freshHome({ embedder });
    const path = join(home, 'config.json');
    {
      await using server = new MemoryProgram(home);
      await useEmbedder(server);
      const changed = await server.request('memory.set_config', {
        embedder: { baseUrl: evil.url },
      });
      expect(changed.error?.code).toBe(-32001);
      await useEmbedder(server);
      expect(JSON.parse(readFileSync(path, 'utf8')).embedder).toEqual(embedder);
      // Ollama takes no key; what it is sent holds none, and the old model's key stays at its origin.
      await server.call('memory.set_config', {
        embedder: { provider: 'ollama', baseUrl: evil.url },
      });
      await useEmbedder(server);
      await server.end();
    }
    expect(readFileSync(path, 'utf8')).not.toContain('sk-mine');
    await using again = new MemoryProgram(home, { env: { OPENAI_API_KEY: 'sk-env' } });
    await useEmbedder(again);
    await again.end();
    expect(mine.requests.length).toBeGreaterThan(0);
    expect(evil.requests.length).toBeGreaterThan(0);
    for (const { headers } of evil.requests) {
      expect(JSON.stringify(headers)).not.toMatch(/sk-|authorization/);
    }
    for (const { headers } of mine.requests) expect(headers.authorization).toBe('Bearer sk-mine');
  });

  it('of the environment goes to the address configured beside it, and to no other', async () => {
    const home = freshHome();
    const env = {
      OPENAI_API_KEY: 'sk-env',
      TINCAN_EMBEDDER_PROVIDER: 'openai',
      TINCAN_EMBEDDER_BASE_URL: mine.url,
    };
    await using server = new MemoryProgram(home, { env });
    await useEmbedder(server);
    const embedder = { baseUrl: evil.url };
    expect((await server.request('memory.set_config', { embedder })).error).toBeDefined();
    await useEmbedder(server);
    await server.end();
    expect(mine.requests[0]?.headers.authorization).toBe('Bearer sk-env');
    expect(evil.requests).toEqual([]);
  });
});

describe('a configuration file', () => {
  it('changed by one process is in force in the others at their next call', async () => {
    const home = freshHome();
    await using one = new MemoryProgram(home);
    await using two = new MemoryProgram(home);
    expect(await two.call('memory.add_note', note)).toMatchObject({
      namespace: expect.stringMatching(/^local:/),
    });
    await one.call('memory.set_config', { embedder: { provider: 'none' } });
    expect(await two.call('memory.get_config')).toMatchObject({ embedder: { provider: 'none' } });
    expect(await two.call('memory.add_note', note)).toMatchObject({
      namespace: expect.stringMatching(/^none:/),
    });
    // Nothing waits for the next change: both end as soon as their input does.
    expect([await one.end(), await two.end()]).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  });

  it.each([
    ['serve', ['serve']],
    ['serve without its name', []],
    ['serve over HTTP', ['serve', '--transport', 'http', '--port', '0']],
    ['list', ['list', '-p', 'x']],
    ['add', ['add', '-p', 'x', 'text']],
    ['search', ['search', '-p', 'x', 'text']],
    ['export', ['export']],
    ['reindex', ['reindex']],
    ['hook', ['hook', '-p', 'x']],
    ['token', ['token']],
  ])('that is named and does not exist is refused by %s', async (_, args) => {
    const home = freshHome();
    const missing = join(home, 'missing.json');
    await using program = new MemoryProgram(home, { args: [...args, '-c', missing] });
    expect(await program.end()).toMatchObject({ code: 3 });
    expect(program.stdout).toBe('');
    expect(program.stderr).toContain(`error: the configuration \`${missing}\` does not exist`);
    expect(existsSync(missing)).toBe(false);
  });

  it('that is named and does not exist is a failure for doctor', async () => {
    const home = freshHome();
    const args = ['doctor', '-f', 'json', '--config', join(home, 'missing.json')];
    await using program = new MemoryProgram(home, { args });
    expect(await program.end()).toMatchObject({ code: 1 });
    const { ok, checks } = JSON.parse(program.stdout);
    expect(ok).toBe(false);
    expect(checks).toContainEqual({
      name: 'config',
      status: 'fail',
      message: expect.stringContaining('does not exist'),
      fix: expect.stringContaining('leave out `--config`'),
    });
  });
});
