import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { type FakeModel, makeMemory, type TestMemory } from '../service/fake-memory.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const folder = makeTempFolder();
let made = 0;
const open: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of open.splice(0)) await memory.close();
});

interface Configured extends TestMemory {
  readonly path: string;
  /** The embedder's section as the file has it. */
  section(): Record<string, unknown>;
  /** What a start after this would use. */
  restarted(): Promise<EmbedderSettings>;
  set(embedder: object): Promise<{ rpcCode?: number; message?: string; data?: unknown }>;
}

/** A memory on a real configuration file; with the `home` of another one, on the same. */
async function start(
  file: object | undefined,
  env: Record<string, string> = {},
  home = join(folder, `${++made}`),
): Promise<Configured> {
  const path = join(home, 'config.json');
  if (file !== undefined) {
    mkdirSync(home, { recursive: true });
    writeFileSync(path, JSON.stringify(file));
  }
  const all = { TINCAN_HOME: home, ...env };
  const settings = { ...(await loadSettings({ env: all })), secrets: 'redact' } as const;
  const test = makeMemory({ settings, save: (embedder) => settings.embedderFile.save(embedder) });
  open.push(test);
  return {
    ...test,
    path,
    section: () => JSON.parse(readFileSync(path, 'utf8')).embedder,
    restarted: async () => (await loadSettings({ env: all })).embedder,
    set: (embedder) => test.call<object>('set_config', { embedder }).catch((error) => error),
  };
}

describe('set_config and folders', () => {
  it.each([
    [{ provider: 'onnx', model: '/models/evil' }, 'provider'],
    [{ provider: 'onnx' }, 'provider'],
    [{ provider: 'ollama', model: '/models/evil' }, 'model'],
    [{ model: '~/evil' }, 'model'],
    [{ model: './evil' }, 'model'],
    [{ model: '../evil' }, 'model'],
    [{ model: '..' }, 'model'],
    [{ model: 'a/../../evil' }, 'model'],
    [{ model: 'C:\\evil' }, 'model'],
    [{ model: 'c:/evil' }, 'model'],
    [{ model: '\\\\host\\share' }, 'model'],
    [{ model: 'file:///evil' }, 'model'],
    [{ model: `/${'x'.repeat(100_000)}` }, 'model'],
  ])('refuses %j with the line for the owner', async (embedder, key) => {
    const test = await start({ secrets: 'refuse' });
    const error = await test.set(embedder);
    expect(error).toMatchObject({ rpcCode: -32602, data: { path: `embedder.${key}` } });
    expect(error.message).toContain(`to \`${test.path}\``);
    expect(error.message).toMatch(/adds `"embedder": \{/);
    expect(error.message?.length).toBeLessThan(700);
    expect(JSON.parse(readFileSync(test.path, 'utf8'))).toEqual({ secrets: 'refuse' });
    expect(test.models).toEqual([]);
  });

  it.each(['BAAI/bge-m3', 'hf.co/user/model:Q4', 'nomic-embed-text:v1.5', 'a..b'])(
    'takes the name %s',
    async (model) => {
      const test = await start({});
      expect(await test.set({ provider: 'ollama', model })).toMatchObject({ ok: true });
      expect(await test.restarted()).toMatchObject({ provider: 'ollama', model });
    },
  );

  it('leaves a model folder that the owner wrote as it is, and refuses another', async () => {
    const owners = { provider: 'onnx', model: '/models/mine', runtime: '/opt/runtime' };
    const test = await start({ embedder: owners });
    expect(await test.set({ model: 'name' })).toMatchObject({ rpcCode: -32602 });
    expect(await test.set({ apiKey: 'k' })).toMatchObject({ ok: true });
    expect(test.section()).toEqual({ ...owners, apiKey: 'k' });
  });

  it('has no way to name a runtime', async () => {
    const test = await start({});
    await test.set({ provider: 'none', runtime: '/evil' });
    expect(JSON.stringify(await test.restarted())).not.toContain('/evil');
  });
});

describe('set_config and addresses', () => {
  it.each([
    [{ provider: 'ollama', baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    [{ provider: 'ollama', baseUrl: 'http://169.254.169.254' }, 'baseUrl'],
    [{ provider: 'ollama', baseUrl: 'http://[::ffff:a9fe:a9fe]' }, 'baseUrl'],
    [{ provider: 'ollama', baseUrl: 'http://metadata.google.internal' }, 'baseUrl'],
    [{ provider: 'ollama', baseUrl: 'http://u:p@x.example' }, 'baseUrl'],
    [{ provider: 'ollama', baseUrl: 'http://x.example/\r\nA: b' }, 'baseUrl'],
    [{ provider: 'local', baseUrl: 'http://x.example' }, 'baseUrl'],
    [{ provider: 'openai', apiKey: 'k\r\nX: y' }, 'apiKey'],
    [{ provider: 'openai', apiKey: 'k\u0000' }, 'apiKey'],
    [{ provider: 'openai', apiKey: 'ключ' }, 'apiKey'],
    [{ provider: 'local', apiKey: 'k\n' }, 'apiKey'],
    [{ provider: 'ollama', model: 'm\r\nX: y' }, 'model'],
  ])('refuses %j', async (embedder, key) => {
    const test = await start({});
    const error = await test.set(embedder);
    expect(error).toMatchObject({ rpcCode: -32602, data: { path: `embedder.${key}` } });
    expect(error.message).not.toContain('\n');
    expect(readFileSync(test.path, 'utf8')).toBe('{}');
  });
});

describe('set_config and keys', () => {
  const evil = 'http://evil.example/v1';
  const file = { embedder: { provider: 'openai', apiKey: 'sk-file' } };
  const keysOf = (models: readonly FakeModel[]): unknown[] =>
    models.map(({ settings }) => settings);

  it.each<[string, object, Record<string, string>]>([
    ['the file', file, {}],
    ['the environment', { embedder: { provider: 'openai' } }, { OPENAI_API_KEY: 'sk-env' }],
    ['both', file, { OPENAI_API_KEY: 'sk-env' }],
    [
      'the environment, for an address in it',
      { embedder: { provider: 'openai', baseUrl: 'http://mine.example' } },
      { OPENAI_API_KEY: 'sk-env' },
    ],
  ])('does not give another address the key of %s', async (_, config, env) => {
    const test = await start(config, env);
    const error = await test.set({ baseUrl: evil });
    expect(error).toMatchObject({ rpcCode: -32001, data: { origin: 'http://evil.example' } });
    expect(error.message).toContain('a key configured for another address is not sent');
    expect(test.section()).toEqual('embedder' in config ? config.embedder : undefined);
    expect(await test.call('get_config')).not.toMatchObject({ embedder: { baseUrl: evil } });
    expect(JSON.stringify(keysOf(test.models))).not.toContain('evil');
  });

  it.each([
    ['another port', 'https://api.openai.com:8443/v1'],
    ['plain http', 'http://api.openai.com/v1'],
    ['a longer name', 'https://api.openai.com.evil.example/v1'],
  ])('takes %s for another address', async (_, baseUrl) => {
    expect(await (await start(file)).set({ baseUrl })).toMatchObject({ rpcCode: -32001 });
  });

  it('keeps the key for another path of its origin', async () => {
    const test = await start(file);
    await test.set({ baseUrl: 'https://api.openai.com/v2' });
    expect(await test.restarted()).toMatchObject({
      baseUrl: 'https://api.openai.com/v2',
      apiKey: 'sk-file',
    });
  });

  it.each<[string, Record<string, string>]>([
    ['no key in the environment', {}],
    ['a key in the environment', { OPENAI_API_KEY: 'sk-env' }],
  ])('takes an address with a key in the same call: %s', async (_, env) => {
    const test = await start(file, env);
    expect(await test.set({ baseUrl: evil, apiKey: 'k' })).toMatchObject({ ok: true });
    expect(test.section()).toMatchObject({ baseUrl: evil, apiKey: 'k' });
    expect(await test.restarted()).toMatchObject({ baseUrl: evil, apiKey: 'k' });
    // Another process on the file has a key of its own, which is not for this address.
    const other = await loadSettings({
      configPath: test.path,
      env: { OPENAI_API_KEY: 'sk-of-another-process' },
    });
    expect(other.embedder).toMatchObject({ baseUrl: evil, apiKey: 'k' });
  });

  it('forgets a key for an address that the provider does not use', async () => {
    const test = await start(file);
    await test.set({ provider: 'ollama', baseUrl: 'http://evil.example' });
    expect(test.section()).not.toHaveProperty('apiKey');
    expect(await test.set({ provider: 'openai' })).toMatchObject({ rpcCode: -32001 });
    expect(await test.set({ provider: 'openai', baseUrl: 'http://evil.example' })).toMatchObject({
      rpcCode: -32001,
    });
  });

  it('has the environment’s key again on the way back', async () => {
    const env = { OPENAI_API_KEY: 'sk-env' };
    const test = await start({ embedder: { provider: 'openai' } }, env);
    await test.set({ provider: 'ollama', baseUrl: 'http://evil.example' });
    expect(await test.set({ provider: 'openai' })).toMatchObject({ ok: true });
    expect(readFileSync(test.path, 'utf8')).not.toContain('sk-env');
    expect(await test.restarted()).toMatchObject({ provider: 'openai', apiKey: 'sk-env' });
  });

  it('keeps a key for OpenAI while a provider without an address is in force', async () => {
    const test = await start(file);
    await test.set({ provider: 'none' });
    expect(await test.set({ provider: 'openai' })).toMatchObject({ ok: true });
    expect(await test.restarted()).toMatchObject({ apiKey: 'sk-file' });
  });

  it('refuses another key where the environment decides it', async () => {
    const test = await start(file, { OPENAI_API_KEY: 'sk-env' });
    const error = await test.set({ apiKey: 'k' });
    expect(error).toMatchObject({ rpcCode: -32602, data: { path: 'embedder.apiKey' } });
    expect(error.message).toContain('OPENAI_API_KEY');
  });
});

describe('a change by another process', () => {
  const embedderOf = async (test: TestMemory): Promise<unknown> =>
    (await test.call('get_config'))['embedder'];

  it('is in force at the next call', async () => {
    const one = await start({ embedder: { provider: 'ollama', model: 'a' } });
    const two = await start(undefined, {}, join(one.path, '..'));
    const note = { projectId: 'p', groupId: 'g', text: 'text' };
    expect(await two.call('add_note', note)).toMatchObject({ namespace: 'ollama:a:16' });
    await one.set({ model: 'b' });
    expect(await two.call('add_note', note)).toMatchObject({ namespace: 'ollama:b:16' });
    expect(await embedderOf(two)).toMatchObject({ model: 'b' });
  });

  it('is seen when it came between reading the settings and the first call', async () => {
    const one = await start({ embedder: { provider: 'ollama', model: 'a' } });
    const two = await start(undefined, {}, join(one.path, '..'));
    await one.set({ model: 'b' });
    expect(await embedderOf(two)).toMatchObject({ model: 'b' });
  });

  it('costs one stat a call and one read a change', async () => {
    const test = await start({ embedder: { provider: 'ollama', model: 'a' } });
    const file = test.memory.settings.embedderFile;
    const stamp = vi.spyOn(file, 'currentStamp');
    const read = vi.spyOn(file, 'read');
    await test.call('search', { projectId: 'p', query: 'q' });
    await test.call('search', { projectId: 'p', query: 'q' });
    expect(stamp).toHaveBeenCalledTimes(2);
    expect(read).not.toHaveBeenCalled();
    // Nothing to wait for: the handler starts in the turn of the call.
    expect(test.memory.configuration.refresh()).toBeUndefined();
    writeFileSync(test.path, '{"embedder": {"provider": "none"}}');
    await Promise.all([test.call('get_config'), test.call('get_config')]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('that leaves a broken file changes nothing until the file is whole', async () => {
    const test = await start({ embedder: { provider: 'ollama', model: 'a' } });
    writeFileSync(test.path, '{"embedder": {"provider": "no');
    expect(await embedderOf(test)).toMatchObject({ provider: 'ollama', model: 'a' });
    writeFileSync(test.path, '{"embedder": {"provider": "none"}}');
    expect(await embedderOf(test)).toMatchObject({ provider: 'none' });
  });

  it('keeps the model open where its own save is read back', async () => {
    const test = await start({ embedder: { provider: 'ollama', model: 'a' } });
    await test.set({ model: 'b' });
    await test.call('search', { projectId: 'p', query: 'q' });
    await test.call('search', { projectId: 'p', query: 'q' });
    expect(test.models.filter(({ model }) => model === 'b')).toHaveLength(1);
  });
});
