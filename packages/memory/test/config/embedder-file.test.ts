import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const folder = makeTempFolder();
let made = 0;

/** Saves over a file and reads both: the file, and what a start after it would use. */
async function saved(
  file: object,
  change: Partial<EmbedderSettings>,
  env: Record<string, string> = {},
): Promise<{ file: Record<string, unknown>; next: EmbedderSettings; path: string }> {
  made += 1;
  const home = join(folder, `${made}`);
  mkdirSync(home);
  const path = join(home, 'config.json');
  writeFileSync(path, JSON.stringify(file));
  const all = { TINCAN_HOME: home, ...env };
  const { embedder, embedderFile } = await loadSettings({ env: all });
  await embedderFile.save({ ...embedder, ...change });
  const next = (await loadSettings({ env: all })).embedder;
  return { file: JSON.parse(readFileSync(path, 'utf8')), next, path };
}

const openai = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'https://api.openai.com/v1',
} as const;

describe('saving the embedder', () => {
  it('leaves every other key alone, for the owner’s eyes only, and no draft behind', async () => {
    const { file, path } = await saved(
      { secrets: 'refuse', embedder: { provider: 'local' } },
      { ...openai, apiKey: 'k' },
    );
    expect(file).toEqual({ secrets: 'refuse', embedder: { ...openai, apiKey: 'k' } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(['config.json']);
  });

  it('writes no key that comes from the environment, and keeps the file’s own', async () => {
    const { file, next } = await saved(
      { embedder: { provider: 'openai', apiKey: 'old' } },
      { model: 'm' },
      { OPENAI_API_KEY: 'env' },
    );
    expect(file['embedder']).toEqual({ ...openai, apiKey: 'old' });
    expect(next).toMatchObject({ model: 'm', apiKey: 'env' });
  });

  it('writes no model that the environment decides', async () => {
    const { file, next } = await saved(
      { embedder: { provider: 'ollama', model: 'file' } },
      { baseUrl: 'http://127.0.0.1:9' },
      { TINCAN_EMBEDDER_MODEL: 'env' },
    );
    expect(file['embedder']).toMatchObject({ model: 'file', baseUrl: 'http://127.0.0.1:9' });
    expect(next).toMatchObject({ model: 'env', baseUrl: 'http://127.0.0.1:9' });
  });

  it('names the provider of the names it writes, also where the environment decides it', async () => {
    const { file, next } = await saved(
      { embedder: { provider: 'local', model: 'file' } },
      { baseUrl: 'http://127.0.0.1:9' },
      { TINCAN_EMBEDDER_PROVIDER: 'ollama', TINCAN_EMBEDDER_MODEL: 'env' },
    );
    expect(file['embedder']).toEqual({ provider: 'ollama', baseUrl: 'http://127.0.0.1:9' });
    expect(next).toMatchObject({ provider: 'ollama', model: 'env' });
  });

  it('keeps the owner’s runtime, and the folder of a model that the owner configured', async () => {
    const owners = { provider: 'onnx', model: '/models/m', runtime: '/opt/runtime' };
    const withKey = await saved({ embedder: owners }, { apiKey: 'k' });
    expect(withKey.file['embedder']).toEqual({ ...owners, apiKey: 'k' });
    const other = { provider: 'none', model: 'none', dim: 0 } as const;
    const away = await saved({ embedder: owners }, other);
    expect(away.file['embedder']).toEqual({
      provider: 'none',
      model: 'none',
      runtime: '/opt/runtime',
    });
  });

  it('writes nothing of a model folder that the environment names', async () => {
    const { file } = await saved(
      { embedder: { provider: 'local' } },
      { apiKey: 'k' },
      {
        TINCAN_EMBEDDER_PROVIDER: 'onnx',
        TINCAN_EMBEDDER_MODEL: '/m',
        TINCAN_EMBEDDER_RUNTIME: '/r',
      },
    );
    expect(file['embedder']).toEqual({ provider: 'local', apiKey: 'k' });
  });

  it('leaves a key behind that is for another origin', async () => {
    const before = { embedder: { provider: 'openai', apiKey: 'k' } };
    const ollama = { provider: 'ollama', baseUrl: 'http://x.example', apiKey: undefined } as const;
    expect((await saved(before, ollama)).file['embedder']).not.toHaveProperty('apiKey');
    // The caller pairs the environment’s key with an address; the file’s own must not follow.
    const { file } = await saved(
      before,
      { baseUrl: 'http://x.example', apiKey: 'env' },
      { OPENAI_API_KEY: 'env' },
    );
    expect(file['embedder']).not.toHaveProperty('apiKey');
  });

  it('refuses what the environment would undo', async () => {
    const env = {
      TINCAN_EMBEDDER_BASE_URL: 'http://x.example',
      TINCAN_EMBEDDER_PROVIDER: 'openai',
    };
    await expect(saved({}, { apiKey: 'k' }, env)).rejects.toMatchObject({
      rpcCode: -32602,
      message: expect.stringContaining('environment variables decide'),
    });
  });

  it('makes the folder where there is none', async () => {
    const home = join(folder, 'new', 'deep');
    const { embedder, embedderFile } = await loadSettings({ env: { TINCAN_HOME: home } });
    await embedderFile.save({ ...embedder, provider: 'none', model: 'none' });
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({
      embedder: { provider: 'none', model: 'none' },
    });
  });

  it('says when it cannot write', async () => {
    const home = join(folder, 'here');
    const { embedder, embedderFile } = await loadSettings({ env: { TINCAN_HOME: home } });
    writeFileSync(home, '');
    await expect(
      embedderFile.save({ ...embedder, provider: 'none', model: 'none' }),
    ).rejects.toMatchObject({
      code: 'CONFIG',
    });
  });

  it('has the new file on the disk before it takes the place of the old one', async () => {
    const probe = await open(folder);
    const handle = Object.getPrototypeOf(probe) as typeof probe;
    await probe.close();
    const path = join(folder, `${made + 1}`, 'config.json');
    const synced: string[] = [];
    const { sync } = handle;
    const spy = vi.spyOn(handle, 'sync').mockImplementation(async function (this: typeof probe) {
      const isFolder = (await this.stat()).isDirectory();
      const draft = readdirSync(dirname(path)).find((name) => name.endsWith('.tmp'));
      const content = readFileSync(draft === undefined ? path : join(dirname(path), draft), 'utf8');
      synced.push(`${isFolder ? 'folder' : 'file'} with ${JSON.parse(content).embedder.provider}`);
      return sync.call(this);
    });
    try {
      await saved({ embedder: { provider: 'local' } }, { provider: 'none', model: 'none' });
    } finally {
      spy.mockRestore();
    }
    expect(synced).toEqual(
      process.platform === 'win32' ? ['file with none'] : ['file with none', 'folder with none'],
    );
  });
});

describe('the stamp of the file', () => {
  it('differs after each change, and not before', async () => {
    const home = join(folder, 'stamped');
    const { embedder, embedderFile } = await loadSettings({ env: { TINCAN_HOME: home } });
    expect(embedderFile.currentStamp()).toBe(embedderFile.stamp);
    const stamps = new Set([embedderFile.stamp]);
    for (const provider of ['none', 'local', 'none'] as const) {
      await embedderFile.save({ ...embedder, provider, model: provider });
      stamps.add(embedderFile.currentStamp());
      stamps.add(embedderFile.currentStamp());
    }
    expect(stamps.size).toBe(4);
  });
});
