import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type McpClient } from 'tincan-mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFromCheckout, type Manifest, ROOT, readJson } from './packed-folder.ts';
import { unzip } from './unzip.ts';

const exec = promisify(execFile);
const PATIENCE = { timeout: 20_000, interval: 100 };
const hasPython = spawnSync('python3', ['--version']).status === 0;

interface BundleManifest {
  readonly manifest_version: string;
  readonly version: string;
  readonly server: {
    readonly type: string;
    readonly entry_point: string;
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly user_config: Readonly<
    Record<
      string,
      { readonly default: string; readonly title: string; readonly sensitive?: boolean }
    >
  >;
  readonly compatibility: {
    readonly platforms: readonly string[];
    readonly runtimes: Readonly<Record<string, string>>;
  };
}

let scratch: string;
let files: readonly string[];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'tincan-bundles-'));
  const { stdout } = await exec(process.execPath, [join(ROOT, 'tools/bundles.mjs')]);
  files = stdout.trim().split('\n');
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

/** Unpacks a bundle into an empty folder. */
function open(name: string): { folder: string; manifest: BundleManifest; names: string[] } {
  const folder = mkdtempSync(join(scratch, `${name}-`));
  const file = files.find((each) => each.includes(`tincan-${name}-`)) ?? '';
  const names = unzip(readFileSync(file), folder);
  const manifest = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  ) as BundleManifest;
  return { folder, manifest, names };
}

/** Starts the server as a client would that was given these settings and nothing else. */
function start(name: string, settings: Readonly<Record<string, string>> = {}): Promise<McpClient> {
  const { folder, manifest } = open(name);
  // A Node without a safe SQLite, which these tests run on too, finds a driver here.
  linkFromCheckout(folder, 'better-sqlite3');
  const fill = (text: string): string =>
    text
      .replaceAll(/\$\{__dirname\}/g, folder)
      .replaceAll(/\$\{user_config\.(\w+)\}/g, (whole: string, key: string) => {
        return settings[key] ?? manifest.user_config[key]?.default ?? whole;
      });
  const { command, args, env } = manifest.server.mcp_config;
  const home = join(folder, 'home');
  mkdirSync(home);
  const filled = Object.entries(env).map(([key, value]) => [key, fill(value)] as const);
  return connect({
    command,
    args: args.map(fill),
    cwd: home,
    env: { ...Object.fromEntries(filled), HOME: home, USERPROFILE: home },
  });
}

describe('a bundle', () => {
  it('is one file for each server, whatever the system', () => {
    const { version } = readJson<Manifest>('packages/memory/package.json');
    expect(files.map((file) => basename(file))).toEqual([
      `tincan-memory-${version}.mcpb`,
      `tincan-answer-${version}.mcpb`,
    ]);
  });

  it.runIf(hasPython)('is an archive to others as well', async () => {
    for (const file of files) {
      const { stdout } = await exec('python3', ['-m', 'zipfile', '-t', file]);
      expect(stdout).toBe('Done testing\n');
    }
  });

  it.each(['memory', 'answer'])('of %s describes itself', (name) => {
    const { manifest, names } = open(name);
    const { version } = readJson<Manifest>(`packages/${name}/package.json`);
    expect(manifest).toMatchObject({
      name: `tincan-${name}`,
      manifest_version: '0.3',
      version,
      server: { type: 'node' },
    });
    expect(names).toContain(manifest.server.entry_point);
    expect(manifest.server.mcp_config.args[0]).toBe(`\${__dirname}/${manifest.server.entry_point}`);
    expect(manifest.user_config['openai_api_key']).toMatchObject({ sensitive: true, default: '' });
    const licences = names.filter((each) => each.startsWith('licences/'));
    expect(licences.includes('licences/openai.txt')).toBe(name === 'answer');
  });

  it('of the memory holds no compiled code, and is for every Node that has a safe SQLite', () => {
    const { manifest, names } = open('memory');
    expect(manifest.compatibility).toEqual({
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: '^22.23.0 || ^24.20.0 || >=26.0.0' },
    });
    expect(names.filter((name) => /\.node$|node_modules/.test(name))).toEqual([]);
  });

  it.each(['memory', 'answer'])('of %s lists the tools its server has', async (name) => {
    const client = await start(name);
    const tools = await client.listTools();
    await client.close();
    expect(open(name).manifest.tools.map((tool) => tool.name)).toEqual(
      tools.map((tool) => tool.name),
    );
  });

  it('of the memory remembers and finds, by meaning too, in the folder it is given', async () => {
    const home = join(scratch, 'chosen');
    const settings = { tincan_home: home };
    const writer = await start('memory', settings);
    const note = { projectId: 'demo', groupId: 'global', text: 'Deploys go out on Tuesdays' };
    await writer.callTool('memory_add_note', note);
    // A note is safe before it has its vector.
    const query = { projectId: 'demo', query: 'release day' };
    await expect
      .poll(async () => JSON.stringify(await writer.callTool('memory_search', query)), PATIENCE)
      .toContain('Deploys go out on Tuesdays');
    await writer.close();
    const reader = await start('memory', settings);
    const recent = await reader.callTool('memory_list_recent', { projectId: 'demo' });
    await reader.close();
    expect(JSON.stringify(recent)).toContain('Deploys go out on Tuesdays');
  });

  it('of the answers says what is missing where no key was given', async () => {
    const client = await start('answer');
    const answer = client.callTool('answer', { query: 'What is a tin can?' });
    await expect(answer).rejects.toMatchObject({
      data: expect.objectContaining({ message: expect.stringContaining('OPENAI_API_KEY') }),
    });
    await client.close();
  });
});
