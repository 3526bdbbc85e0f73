import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { saveEmbedder } from '../../src/config/save-embedder.ts';
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

  it('take the time zone of queries from the environment, then the file', async () => {
    const zoneOf = async (config: unknown, env: Record<string, string> = {}): Promise<string> =>
      (await loadSettings({ home: makeHome(config), env })).search.timeZone;
    const file = { search: { timeZone: 'Europe/Berlin' } };
    expect(await zoneOf({})).toBe('UTC');
    expect(await zoneOf(file)).toBe('Europe/Berlin');
    expect(await zoneOf(file, { TINCAN_TIME_ZONE: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    await expect(zoneOf(file, { TINCAN_TIME_ZONE: 'Mars/Base' })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringMatching(/`TINCAN_TIME_ZONE`.*`Europe\/Berlin`, got `Mars\/Base`/),
    });
    await expect(zoneOf({ search: { timeZone: 'Berlin' } })).rejects.toThrow('`search.timeZone`');
    await expect(zoneOf({ search: { timeZone: 1 } })).rejects.toThrow('search.timeZone');
  });

  it('put everything under TINCAN_HOME where that is set', async () => {
    const home = makeHome();
    const { paths, store } = await loadSettings({ home, env: { TINCAN_HOME: join(home, 'tin') } });
    expect(paths.configPath).toBe(join(home, 'tin', 'config.json'));
    expect(store.path).toBe(join(home, 'tin', 'data', 'memory.db'));
  });

  it('let the environment win over the file', async () => {
    const home = makeHome({
      embedder: { provider: 'openai', model: 'file-model', apiKey: 'file', baseUrl: 'http://file' },
    });
    const env = {
      OPENAI_API_KEY: 'env',
      TINCAN_EMBEDDER_MODEL: 'env-model',
      TINCAN_STORE_PATH: '/x.db',
    };
    const { embedder, store, fixedByEnvironment } = await loadSettings({ home, env });
    expect(embedder).toMatchObject({ apiKey: 'env', model: 'env-model', baseUrl: 'http://file' });
    expect(store.path).toBe('/x.db');
    expect(fixedByEnvironment).toEqual({
      apiKey: 'OPENAI_API_KEY',
      model: 'TINCAN_EMBEDDER_MODEL',
    });
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

  it('take an empty file for none', async () => {
    const { embedder } = await loadSettings({ home: makeHome(' \n'), env: {} });
    expect(embedder.provider).toBe('local');
  });
});

describe('saving the embedder', () => {
  it('leaves every other key alone, for the owner’s eyes only, and no draft behind', async () => {
    const home = makeHome({ secrets: 'refuse', embedder: { provider: 'local' } });
    const path = join(home, '.local-mcp-memory', 'config.json');
    await saveEmbedder(path, { provider: 'openai', model: 'm', apiKey: 'k' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      secrets: 'refuse',
      embedder: { provider: 'openai', model: 'm', apiKey: 'k' },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['config.json']);
  });

  it('writes nothing that the environment decides', async () => {
    const home = makeHome({ embedder: { provider: 'openai', apiKey: 'old' } });
    const path = join(home, '.local-mcp-memory', 'config.json');
    await saveEmbedder(
      path,
      { provider: 'openai', model: 'm', apiKey: 'env' },
      { fixed: ['apiKey'] },
    );
    expect(JSON.parse(readFileSync(path, 'utf8')).embedder).toEqual({
      provider: 'openai',
      model: 'm',
      apiKey: 'old',
    });
  });

  it('makes the folder where there is none', async () => {
    const path = join(folder, 'new', 'deep', 'config.json');
    await saveEmbedder(path, { provider: 'none' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ embedder: { provider: 'none' } });
  });

  it('says when it cannot write', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    await expect(saveEmbedder(join(folder, 'a-file', 'c.json'), {})).rejects.toMatchObject({
      code: 'CONFIG',
    });
  });
});
