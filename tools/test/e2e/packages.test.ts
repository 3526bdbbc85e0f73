import { exec, execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installPacked,
  linkFromCheckout,
  type Manifest,
  PACKAGES,
  type Packed,
  ROOT,
  readJson,
} from './packed-folder.ts';

const execProgram = promisify(execFile);
const manifests = PACKAGES.map((name) => readJson<Manifest>(`packages/${name}/package.json`));

interface HooksFile {
  readonly hooks: {
    readonly SessionStart: readonly { readonly hooks: readonly { readonly command: string }[] }[];
  };
}

let folder: string;
let packed: readonly Packed[];

beforeAll(async () => {
  ({ folder, packed } = await installPacked());
  // As a user of a Node without a safe SQLite would install it.
  linkFromCheckout(folder, 'better-sqlite3');
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, TINCAN_HOME: join(folder, 'memory') };
}

/** Runs a program of the installed packages, with a home of its own. */
async function run(bin: string, ...args: string[]): Promise<string> {
  const path = join(folder, 'node_modules', '.bin', bin);
  const env = environment();
  const { stdout } = await execProgram(path, args, {
    cwd: folder,
    env,
    shell: process.platform === 'win32',
  });
  return stdout;
}

/** Runs a hook as Claude Code does: a line for the shell, the event on stdin. */
function hook(command: string, event: object): Promise<string> {
  const env = { ...environment(), CLAUDE_PLUGIN_ROOT: join(ROOT, 'plugin') };
  const done = promisify(exec)(command, { cwd: folder, env });
  done.child.stdin?.end(JSON.stringify(event));
  return done.then(({ stdout }) => stdout);
}

/** Runs code in the folder, as a program that has the packages among its dependencies. */
async function evaluate(code: string): Promise<string> {
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await execProgram(process.execPath, args, { cwd: folder });
  return stdout.trim();
}

describe('what would be published', () => {
  it.each(PACKAGES)('%s says what npm and its users need to know', (name) => {
    const { description, license, keywords, engines, publishConfig } = readJson<Manifest>(
      `packages/${name}/package.json`,
    );
    expect(description).toMatch(/^\S.+\.$/);
    expect(keywords).not.toHaveLength(0);
    expect({ license, engines, publishConfig }).toEqual({
      license: 'MIT',
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
    });
  });

  it('is of one version, and each package asks for exactly that of the others', () => {
    const versions = new Set(manifests.map(({ version }) => version));
    expect(versions.size).toBe(1);
    const [version] = versions;
    const asked = manifests
      .flatMap((each) => Object.entries({ ...each.dependencies, ...each.optionalDependencies }))
      .filter(([name]) => manifests.some((each) => each.name === name));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(([, range]) => range !== version)).toEqual([]);
  });

  it.each(manifests)('$name holds its entries, programs, types and papers alone', (manifest) => {
    const { name, bin = {}, exports } = manifest;
    const paths = packed.find((each) => each.name === name)?.files.map(({ path }) => path) ?? [];
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
    const entries = [...Object.values(exports), ...Object.values(bin)]
      .flatMap((entry) =>
        typeof entry === 'string'
          ? [entry]
          : Object.entries(entry)
              .filter(([condition]) => condition !== 'tincan-source')
              .map(([, path]) => path),
      )
      .map((path) => path.replace('./', ''));
    expect(entries.filter((path) => !paths.includes(path))).toEqual([]);
    const isWanted = (path: string): boolean =>
      entries.includes(path.replace(/\.map$/, '')) ||
      /^(?:bin\/|dist\/chunks\/|dist\/program\/[^/]*\.cjs(?:\.map)?$|dist\/.*(?:\.d\.ts|-worker\.js(?:\.map)?)$|data\/)|^(?:README|LICENSE|THIRD-PARTY-NOTICES)(?:\.md)?$/.test(
        path,
      );
    expect(paths.filter((path) => !isWanted(path) && path !== 'package.json')).toEqual([]);
  });

  it('includes the programs of threads, which no entry imports', () => {
    const memory = packed.find(({ name }) => name === 'tincan-memory');
    expect(memory?.files.map(({ path }) => path)).toContain('dist/embed/onnx/onnx-worker.js');
  });
});

describe('in an empty folder', () => {
  it('is installed as it is, without links into the checkout', () => {
    for (const { name, version } of manifests) {
      const file = join(folder, 'node_modules', name, 'package.json');
      expect((JSON.parse(readFileSync(file, 'utf8')) as Manifest).version).toBe(version);
      expect(existsSync(join(folder, 'node_modules', name, 'src'))).toBe(false);
    }
  });

  it('tincan tells its version', async () => {
    expect(await run('tincan', '--version')).toBe(`${manifests[0]?.version}\n`);
  });

  it('tincan calls the memory server', async () => {
    const server = ['--', join(folder, 'node_modules/.bin/tincan-memory')];
    const note = ['projectId=demo', 'groupId=global', 'text=Deploys go out on Tuesdays'];
    await run('tincan', 'call', '--tool', 'memory_add_note', ...note, ...server);
    const query = ['projectId=demo', 'query=deploys'];
    const found = await run('tincan', 'call', '--tool', 'memory_search', ...query, ...server);
    expect(found).toContain('Deploys go out on Tuesdays');
  });

  it('tincan hands a line over to the memory and to the answers', async () => {
    await run('tincan', 'memory', 'add', '-p', 'home', 'Tea is in the left cupboard');
    expect(await run('tincan', 'memory', 'list', '-p', 'home')).toContain('Tea is in the left');
    expect(await run('tincan', 'answer', '--version')).toContain(String(manifests[0]?.version));
  });

  it('tincan-memory finds what was written', async () => {
    await run('tincan-memory', 'add', '-p', 'other', 'The lease ends in May');
    expect(await run('tincan-memory', 'search', '-p', 'other', 'lease')).toContain('ends in May');
  });

  it('the hook of the plugin tells a session what was noted about its project', async () => {
    await run('tincan-memory', 'add', '-p', '/srv/shop', 'Prices are in cents');
    const { hooks } = readJson<HooksFile>('plugin/hooks/hooks.json');
    const command = hooks.SessionStart[0]?.hooks[0]?.command ?? '';
    const tell = async (cwd: string): Promise<unknown> =>
      JSON.parse(await hook(command, { hook_event_name: 'SessionStart', source: 'startup', cwd }));
    expect(await tell('/srv/shop')).toEqual({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('Prices are in cents'),
      },
    });
    expect(await tell('/srv/nothing-known')).toEqual({});
  });

  it('tincan-answer answers from its demo', async () => {
    const answer = await run('tincan-answer', '--demo', 'ask', 'What is a tin can?');
    expect(answer).toMatch(/https?:\/\//);
  });

  it.each([
    ['tincan-wire', 'typeof m.spawnServer'],
    ['tincan-wire/compile-cache', 'typeof m.enableCompileCache'],
    ['tincan-mcp', 'typeof m.McpServer'],
    ['tincan-mcp/http', 'typeof m.HttpEnd'],
    ['tincan-memory', 'typeof m.Memory'],
    ['tincan-memory/cli', 'typeof m.runMemoryCommand'],
    ['tincan-answer', 'typeof m.createAnswerer'],
    ['tincan-answer/cli', 'typeof m.runAnswerCli'],
    [
      'tincan-answer/demo',
      'Object.values(m).some((each) => typeof each === "function") && "function"',
    ],
  ])('%s can be imported', async (name, expression) => {
    const code = `const m = await import('${name}'); console.log(${expression});`;
    expect(await evaluate(code)).toBe('function');
  });

  it('compiles with the types that came along, and not with wrong ones', async () => {
    for (const name of ['@types/node', 'undici-types']) linkFromCheckout(folder, name);
    const code = `import { createAnswerer, loadConfig } from 'tincan-answer';
import { connect, type McpClient } from 'tincan-mcp';
import { HttpEnd } from 'tincan-mcp/http';
import { loadSettings, Memory } from 'tincan-memory';
import { Dispatcher, spawnServer } from 'tincan-wire';
const client: McpClient = await connect({ command: 'npx', args: ['tincan-memory'] });
const tools: { readonly name: string }[] = [...(await client.listTools())];
const memory: Memory = new Memory({ settings: await loadSettings({ env: process.env }) });
export { createAnswerer, Dispatcher, HttpEnd, loadConfig, memory, spawnServer, tools };
`;
    writeFileSync(join(folder, 'right.ts'), code);
    writeFileSync(join(folder, 'wrong.ts'), `${code}export const wrong: number = client;\n`);
    const options = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
      lib: ['ES2023', 'ESNext.Disposable'],
    };
    const config = { compilerOptions: options, files: ['right.ts', 'wrong.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const said = await execProgram(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    const problems = said.stdout.trim().split('\n');
    expect(problems).toEqual([expect.stringMatching(/^wrong\.ts\(10,14\): error TS2322/)]);
  });
});
