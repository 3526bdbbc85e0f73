import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const folder = makeTempFolder();
let made = 0;
/** A home of its own, with a configuration file where one is given. */
function makeHome(config?: unknown): string {
  made += 1;
  const home = join(folder, `${made}`);
  mkdirSync(join(home, '.local-mcp-memory'), { recursive: true });
  if (config !== undefined) {
    const text = typeof config === 'string' ? config : JSON.stringify(config);
    writeFileSync(join(home, '.local-mcp-memory', 'config.json'), text);
  }
  return home;
}

describe('settings', () => {
  it('need no file: a local model and a store in the user folder', async () => {
    const home = makeHome();
    const base = join(home, '.local-mcp-memory');
    expect(await loadSettings({ home, env: {} })).toMatchObject({
      transportDefaults: { defaultTransport: 'stdio' },
      embedder: { provider: 'local', baseUrl: null, apiKey: undefined },
      store: { type: 'sqlite', path: join(base, 'data', 'memory.db'), url: null },
      paths: { configPath: join(base, 'config.json'), dataDir: join(base, 'data') },
      secrets: 'redact',
    });
  });

  it('merge a partial file with the defaults', async () => {
    const home = makeHome({ embedder: { provider: 'openai', apiKey: 'k' } });
    const settings = await loadSettings({ home, env: {} });
    expect(settings.embedder).toEqual({
      provider: 'openai',
      model: 'text-embedding-3-small',
      dim: 0,
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'k',
    });
    expect(settings.store.type).toBe('sqlite');
    expect(settings.store.path).toContain('memory.db');
  });

  it('expand `~` in paths', async () => {
    const home = makeHome({ store: { path: '~/notes.db' }, paths: { dataDir: '~/d' } });
    const settings = await loadSettings({ home, env: {} });
    expect(settings.store.path).toBe(join(home, 'notes.db'));
    expect(settings.paths.dataDir).toBe(join(home, 'd'));
  });

  it('put everything under TINCAN_HOME where that is set', async () => {
    const home = makeHome();
    const { paths, store } = await loadSettings({ home, env: { TINCAN_HOME: join(home, 'tin') } });
    expect(paths.configPath).toBe(join(home, 'tin', 'config.json'));
    expect(store.path).toBe(join(home, 'tin', 'data', 'memory.db'));
  });

  it('let the environment win over the file', async () => {
    const home = makeHome({
      embedder: { provider: 'openai', model: 'file-model', apiKey: 'file' },
    });
    const env = {
      OPENAI_API_KEY: 'env',
      TINCAN_EMBEDDER_MODEL: 'env-model',
      TINCAN_STORE_PATH: '/x.db',
    };
    const { embedder, store, fixedByEnvironment } = await loadSettings({ home, env });
    expect(embedder).toMatchObject({ apiKey: 'env', model: 'env-model' });
    expect(store.path).toBe('/x.db');
    expect(fixedByEnvironment).toEqual({ model: 'TINCAN_EMBEDDER_MODEL' });
  });

  it('give another provider from the environment none of the file’s names', async () => {
    const home = makeHome({ embedder: { provider: 'openai', model: 'm', baseUrl: 'http://x' } });
    const env = { TINCAN_EMBEDDER_PROVIDER: 'ollama' };
    const { embedder } = await loadSettings({ home, env });
    expect(embedder).toMatchObject({
      model: 'nomic-embed-text',
      baseUrl: 'http://127.0.0.1:11434',
    });
  });

  it.each([
    ['an unknown store', { store: { type: 'qdrant' } }, 'store.type'],
    ['an empty store type', { store: { type: '' } }, 'store.type'],
    ['an unknown provider', { embedder: { provider: 'opnai' } }, 'embedder.provider'],
    ['a misspelt section', { embeder: {} }, 'embeder'],
    ['a misspelt key', { embedder: { modle: 'x' } }, 'embedder.modle'],
    ['a wrong type', { embedder: { dim: '5' } }, 'embedder.dim'],
    ['a port out of range', { http: { port: 70_000 } }, 'http.port'],
    ['a list', [], ''],
    ['a text', '"x"', ''],
  ])('refuse %s and say where it stands', async (_, config, where) => {
    const loading = loadSettings({ home: makeHome(config), env: {} });
    await expect(loading).rejects.toMatchObject({ code: 'CONFIG' });
    await expect(loading).rejects.toThrow(`\`${where}\``);
  });

  it('refuse what is not JSON without quoting it', async () => {
    const loading = loadSettings({ home: makeHome('{"embedder":{"apiKey":"sk-1"'), env: {} });
    await expect(loading).rejects.toMatchObject({ code: 'CONFIG', cause: undefined });
    await expect(loading).rejects.not.toThrow('sk-1');
  });

  it('refuse an unknown provider from the environment', async () => {
    const env = { TINCAN_EMBEDDER_PROVIDER: 'x' };
    await expect(loadSettings({ home: makeHome(), env })).rejects.toThrow(
      'TINCAN_EMBEDDER_PROVIDER',
    );
  });

  it('refuse a named file that does not exist', async () => {
    const configPath = join(makeHome(), 'none.json');
    await expect(loadSettings({ configPath, env: {} })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining(`\`${configPath}\` does not exist: correct the path`),
    });
    writeFileSync(configPath, '{}');
    expect(await loadSettings({ configPath, env: {} })).toMatchObject({ paths: { configPath } });
  });

  it('take a runtime from the file or the environment', async () => {
    const home = makeHome({ embedder: { provider: 'onnx', model: '/m', runtime: '/file' } });
    expect((await loadSettings({ home, env: {} })).embedder.runtime).toBe('/file');
    const env = { TINCAN_EMBEDDER_RUNTIME: '/env' };
    expect((await loadSettings({ home, env })).embedder.runtime).toBe('/env');
  });

  it.each([
    ['a file that is not served', { baseUrl: 'file:///etc' }, {}, '`embedder.baseUrl`'],
    ['a metadata address', { baseUrl: 'http://169.254.169.254' }, {}, '`embedder.baseUrl`'],
    ['a key that breaks a header', { apiKey: 'a\r\nb: c' }, {}, '`embedder.apiKey`'],
    ['a model with a line break', { model: 'a\nb' }, {}, '`embedder.model`'],
    ['a variable', {}, { TINCAN_EMBEDDER_BASE_URL: 'ftp://x' }, '`TINCAN_EMBEDDER_BASE_URL`'],
    ['a key in a variable', {}, { OPENAI_API_KEY: 'a b' }, '`OPENAI_API_KEY`'],
  ])('refuse %s and say where it stands', async (_, keys, env, where) => {
    const home = makeHome({ embedder: { provider: 'openai', ...keys } });
    const loading = loadSettings({ home, env });
    await expect(loading).rejects.toMatchObject({ code: 'CONFIG' });
    await expect(loading).rejects.toThrow(where);
    await expect(loading).rejects.not.toThrow('b: c');
  });

  it('ignore a key of another program in the environment', async () => {
    const { embedder } = await loadSettings({ home: makeHome(), env: { OPENAI_API_KEY: 'a b' } });
    expect(embedder.provider).toBe('local');
  });

  it('take an empty file for none', async () => {
    const { embedder } = await loadSettings({ home: makeHome(' \n'), env: {} });
    expect(embedder.provider).toBe('local');
  });
});

describe('an API key', () => {
  const proxy = 'http://proxy.example/v1';
  const other = 'http://other.example/v1';
  const BASE = 'TINCAN_EMBEDDER_BASE_URL';
  it.each<[string, object, Record<string, string>, string | undefined]>([
    ['file, for OpenAI', { apiKey: 'f' }, {}, 'f'],
    ['file, beside its address', { apiKey: 'f', baseUrl: proxy }, {}, 'f'],
    [
      'file, for OpenAI, with an address from outside',
      { apiKey: 'f' },
      { [BASE]: other },
      undefined,
    ],
    [
      'file, beside its address, with another from outside',
      { apiKey: 'f', baseUrl: proxy },
      { [BASE]: other },
      undefined,
    ],
    ['environment, for OpenAI', { apiKey: 'f' }, { OPENAI_API_KEY: 'e' }, 'e'],
    ['environment, beside an address in it', {}, { OPENAI_API_KEY: 'e', [BASE]: proxy }, 'e'],
    [
      'environment, beside an address in the file',
      { baseUrl: proxy },
      { OPENAI_API_KEY: 'e' },
      'e',
    ],
    [
      'environment, where the file has an address with its own key',
      { baseUrl: proxy, apiKey: 'f' },
      { OPENAI_API_KEY: 'e' },
      'f',
    ],
  ])('is used at its own origin only: %s', async (_, keys, env, expected) => {
    const home = makeHome({ embedder: { provider: 'openai', ...keys } });
    expect((await loadSettings({ home, env })).embedder.apiKey).toBe(expected);
  });

  it('beside an address is not for a provider from the environment', async () => {
    const home = makeHome({ embedder: { provider: 'ollama', baseUrl: proxy, apiKey: 'f' } });
    const env = { TINCAN_EMBEDDER_PROVIDER: 'openai' };
    const { embedder } = await loadSettings({ home, env });
    expect(embedder).toMatchObject({ baseUrl: 'https://api.openai.com/v1', apiKey: undefined });
  });
});
