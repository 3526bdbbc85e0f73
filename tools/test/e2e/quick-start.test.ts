import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkFromCheckout, ROOT } from './packed-folder.ts';

const SERVER = `import { McpServer } from '@tincan/mcp';
await new McpServer({ name: 'quick', version: '1.0.0', tools: [] }).serve();
`;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
};
const LINE = `${JSON.stringify(INITIALIZE)}\n`;

/** Built packages of its own: those of the checkout are started by others at the same time. */
const folder = mkdtempSync(join(tmpdir(), 'tincan-quick-'));

beforeAll(() => {
  for (const name of ['wire', 'mcp', 'memory', 'answer']) {
    const from = join(ROOT, 'packages', name);
    const to = join(folder, 'node_modules/@tincan', name);
    mkdirSync(to, { recursive: true });
    for (const part of ['package.json', 'dist']) {
      cpSync(join(from, part), join(to, part), {
        recursive: true,
        filter: (path) => !/\.(?:map|d\.ts)$|\.cache(?:\.\d+)?$/.test(path),
      });
    }
  }
  writeFileSync(join(folder, 'server.mjs'), SERVER);
}, 60_000);

beforeEach(() => {
  for (const path of caches()) rmSync(path, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program that reads one request; its input ends when it has answered. */
async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  line = LINE,
): Promise<Run> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TINCAN_HOME: join(folder, 'home'), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdin?.on('error', () => undefined).write(line);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) child.stdin?.end();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

/** Runs code that has the packages at hand. */
function evaluate(code: string): Promise<Run> {
  return run(['--input-type=module', '-e', code]);
}

/** What V8 made of chunks and was kept, by path below the packages. */
function caches(): string[] {
  return readdirSync(join(folder, 'node_modules/@tincan'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('.cache'))
    .map((path) => join(folder, 'node_modules/@tincan', path));
}

const answered: unknown = expect.objectContaining({
  code: 0,
  signal: null,
  stdout: expect.stringContaining('"serverInfo"'),
  stderr: '',
});

const PROGRAMS: readonly (readonly [string, readonly string[]])[] = [
  ['a server on the library', ['server.mjs']],
  ['tincan-memory', ['node_modules/@tincan/memory/dist/main.cjs']],
  ['tincan-answer', ['node_modules/@tincan/answer/dist/bin.cjs', '--stdio']],
];

describe.each(PROGRAMS)('%s', (_, args) => {
  it('keeps what was compiled, and starts with it', async () => {
    expect(await run(args)).toEqual(answered);
    const kept = caches();
    expect(kept).not.toEqual([]);
    expect(kept.filter((path) => !path.endsWith('.cache'))).toEqual([]);
    const before = kept.map((path) => readFileSync(path));
    expect(await run(args)).toEqual(answered);
    expect(caches()).toEqual(kept);
    expect(kept.map((path) => readFileSync(path).equals(before.shift() ?? Buffer.of()))).toEqual(
      kept.map(() => true),
    );
  });

  it.each<[string, (file: string) => void]>([
    ['a byte of it is another', (file) => changeByte(file, 0.25)],
    ['a byte of its second half is another', (file) => changeByte(file, 0.75)],
    ['half of it is lost', (file) => truncateSync(file, readFileSync(file).length / 2)],
    ['it is empty', (file) => truncateSync(file, 0)],
    ['it is nothing but zeros', (file) => writeFileSync(file, Buffer.alloc(100_000))],
  ])('starts without what was kept when %s', async (_damage, damage) => {
    await run(args);
    for (const path of caches()) damage(path);
    expect(await run(args)).toEqual(answered);
    expect(await run(args)).toEqual(answered);
  });

  it('starts where nothing can be written', async () => {
    const folders = new Set(chunkFolders());
    for (const path of folders) chmodSync(path, 0o555);
    expect(await run(args)).toEqual(answered);
    // Whoever may do everything may write there too.
    if (process.getuid?.() !== 0) expect(caches()).toEqual([]);
    for (const path of folders) chmodSync(path, 0o755);
  });

  it('starts where what it would write cannot be put, and leaves nothing there', async () => {
    await run(args);
    const kept = caches();
    for (const path of kept) {
      rmSync(path);
      mkdirSync(path);
    }
    expect(await run(args)).toEqual(answered);
    expect(caches()).toEqual(kept);
  });

  it.each([{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_OPTIONS: '--enable-source-maps' }])(
    'keeps nothing with %o',
    async (env) => {
      expect(await run(args, env)).toEqual(answered);
      expect(caches()).toEqual([]);
    },
  );

  it('leaves what was kept alone when V8 refuses it', async () => {
    await run(args);
    const before = caches().map((path) => readFileSync(path).toString('base64'));
    expect(await run(['--no-lazy', ...args])).toEqual(answered);
    expect(caches().map((path) => readFileSync(path).toString('base64'))).toEqual(before);
  });
});

it('tincan-memory loads what it needs later, a native driver too, from what was kept', async () => {
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    linkFromCheckout(folder, name);
  }
  const line = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'memory.add_note',
    params: { projectId: '/quick', groupId: 'global', text: 'Tea is in the left cupboard' },
  })}\n`;
  const args = ['node_modules/@tincan/memory/dist/main.cjs'];
  const env = { TINCAN_EMBEDDER_PROVIDER: 'none' };
  const added: unknown = expect.objectContaining({
    code: 0,
    stdout: expect.stringContaining('"canonicalProjectId":"/quick"'),
    stderr: '',
  });
  expect(await run(args, env, line)).toEqual(added);
  expect(caches()).toContainEqual(expect.stringMatching(/[\\/]driver-[^\\/]*\.cache$/));
  expect(await run(args, env, line)).toEqual(added);
});

describe('a program that is no server', () => {
  it('keeps nothing when it imports the packages', async () => {
    const code = `import '@tincan/mcp'; import '@tincan/mcp/http'; import '@tincan/wire';
      console.log('done');`;
    expect(await evaluate(code)).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(caches()).toEqual([]);
  });

  it('keeps nothing as a client; the server it starts does', async () => {
    const code = `import { connect } from '@tincan/mcp';
      const client = await connect({ command: process.execPath, args: ['server.mjs'] });
      console.log(client.serverInfo?.name ?? 'connected');
      await client.close();`;
    const client = join(folder, 'node_modules/@tincan/mcp');
    cpSync(client, join(folder, 'client/node_modules/@tincan/mcp'), { recursive: true });
    writeFileSync(join(folder, 'client/client.mjs'), code);
    expect(await run(['client/client.mjs'])).toMatchObject({ code: 0 });
    expect(caches()).not.toEqual([]);
    const own = readdirSync(join(folder, 'client'), { recursive: true, encoding: 'utf8' });
    expect(own.filter((path) => path.includes('.cache'))).toEqual([]);
  });
});

describe('the entries for Node', () => {
  it('run what was kept, not what it was made of', async () => {
    await run(['server.mjs']);
    const [file = ''] = caches();
    const other = `const { readFileSync, writeFileSync } = require('node:fs');
      const [file, chunk] = ${JSON.stringify([file, file.replace(/\.cjs\..*/, '.cjs')])};
      const source = readFileSync(chunk, 'latin1').replaceAll('2025-11-25', '2525-11-25');
      const parameters = 'exports, require, module, __filename, __dirname';
      const text = \`(function (\${parameters}) {\${source}\\n})\`;
      const script = new (require('node:vm').Script)(text);
      script.runInThisContext()({}, require, {}, chunk, '');
      const data = script.createCachedData();
      writeFileSync(file, Buffer.concat([data, data]));`;
    expect(await run(['--input-type=commonjs', '-e', other])).toMatchObject({ stderr: '' });
    const code = `import { LATEST_LEGACY } from '@tincan/mcp'; console.log(LATEST_LEGACY);`;
    expect(await evaluate(code)).toMatchObject({ code: 0, stdout: '2525-11-25\n' });
  });

  it('share one instance of what they have in common', async () => {
    const code = `import { McpServer } from '@tincan/mcp';
      import { serverBackend } from '@tincan/mcp/http';
      const modules = process[Symbol.for('@tincan/modules')];
      console.log([...modules.keys()].filter((file) => /index-/.test(file)).length);
      serverBackend(new McpServer({ name: 'one', version: '1.0.0' }));`;
    expect(await evaluate(code)).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it('tell errors of another copy of wire by their class', async () => {
    const code = `import { McpServer } from '@tincan/mcp';
      import { WireError } from '@tincan/wire';
      try { new McpServer({}); } catch (error) { console.log(error instanceof WireError); }`;
    expect(await evaluate(code)).toMatchObject({ code: 0, stdout: 'true\n' });
  });

  it.each(['wire', 'mcp', 'mcp/http'])('have what those for bundlers have: %s', async (name) => {
    const [folderName = '', part = 'index'] = name.split('/');
    const plain = `./node_modules/@tincan/${folderName}/dist/${part}.js`;
    const code = `const [quick, plain] = await Promise.all([
          import('@tincan/${name}'), import(${JSON.stringify(plain)})]);
        console.log(import.meta.resolve('@tincan/${name}').includes('/dist/node/'));
        console.log(Object.keys(quick).join() === Object.keys(plain).join());`;
    expect(await evaluate(code)).toMatchObject({ code: 0, stdout: 'true\ntrue\n' });
  });

  it('can be required', async () => {
    const code = `console.log(typeof require('@tincan/mcp').McpServer);`;
    expect(await run(['--input-type=commonjs', '-e', code])).toMatchObject({
      code: 0,
      stdout: 'function\n',
    });
  });
});

it('a bundler makes one program of a server and what it imports', async () => {
  const build = await rolldown({
    cwd: folder,
    input: 'server.mjs',
    platform: 'node',
  });
  await build.write({ dir: join(folder, 'bundled'), entryFileNames: 'program.mjs' });
  await build.close();
  // Out of reach of the packages.
  const alone = mkdtempSync(join(tmpdir(), 'tincan-bundled-'));
  cpSync(join(folder, 'bundled'), alone, { recursive: true });
  expect(await run([join(alone, 'program.mjs')])).toEqual(answered);
  rmSync(alone, { recursive: true });
});

function changeByte(file: string, at: number): void {
  const bytes = readFileSync(file);
  const index = Math.floor(bytes.length * at);
  bytes[index] = (bytes[index] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

function chunkFolders(): string[] {
  return ['mcp', 'memory', 'answer'].map((name) =>
    join(folder, 'node_modules/@tincan', name, 'dist/node'),
  );
}
