import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Manifest, ROOT, readJson } from './packed-folder.ts';

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
const PROGRAMS = [
  ['memory', 'tincan-memory', []],
  ['answer', 'tincan-answer', ['--stdio']],
] as const;
const hasCompileCache = 'enableCompileCache' in nodeModule;
const isRoot = process.getuid?.() === 0;

/** Copies of the built packages, so that files written beside them are found. */
const scratch = mkdtempSync(join(tmpdir(), 'tincan-programs-'));
let home: string;

beforeAll(() => {
  for (const [name] of PROGRAMS) {
    for (const part of ['package.json', 'bin', 'dist/program']) {
      cpSync(join(ROOT, 'packages', name, part), join(scratch, name, part), { recursive: true });
    }
  }
}, 60_000);

beforeEach(() => {
  home = mkdtempSync(join(scratch, 'home-'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with one request. Its input ends after the answer. */
async function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: scratch,
    env: { PATH: process.env['PATH'], HOME: home, TINCAN_HOME: join(scratch, 'data'), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(INITIALIZE)}\n`);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) child.stdin.end();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}

function isAnswer({ code, stdout, stderr }: Run): boolean {
  const lines = stdout.trimEnd().split('\n');
  const [answer = ''] = lines;
  return code === 0 && stderr === '' && lines.length === 1 && answer.includes('"serverInfo"');
}

describe.each(PROGRAMS)('the program of %s', (name, bin, args) => {
  const file = join(scratch, name, 'bin', `${bin}.js`);
  const start = (env: NodeJS.ProcessEnv = {}): Promise<Run> => run(file, args, env);

  it('answers the same with an empty and with a filled compile cache', async () => {
    const runs = [await start(), await start()];
    expect(runs.map(isAnswer)).toEqual([true, true]);
    expect(runs[1]).toEqual(runs[0]);
  });

  it('keeps compiled code in the cache folder of the user, and nothing beside itself', async () => {
    const before = filesIn(join(scratch, name));
    await start();
    expect(filesIn(join(scratch, name))).toEqual(before);
    const kept = filesIn(home);
    expect(kept.length > 0).toBe(hasCompileCache);
    expect(kept.filter((path) => !path.startsWith('.cache/tincan/compiled/'))).toEqual([]);
  });

  it('uses the folder of XDG_CACHE_HOME, unless it is a relative path', async () => {
    await start({ XDG_CACHE_HOME: join(home, 'elsewhere') });
    expect(existsSync(join(home, 'elsewhere/tincan/compiled'))).toBe(hasCompileCache);
    expect(existsSync(join(home, '.cache'))).toBe(false);
    await start({ XDG_CACHE_HOME: 'relative' });
    expect(existsSync(join(scratch, 'relative'))).toBe(false);
    expect(existsSync(join(home, '.cache/tincan/compiled'))).toBe(hasCompileCache);
  });

  it('keeps nothing with NODE_DISABLE_COMPILE_CACHE=1', async () => {
    expect(isAnswer(await start({ NODE_DISABLE_COMPILE_CACHE: '1' }))).toBe(true);
    expect(filesIn(home)).toEqual([]);
  });

  it.runIf(hasCompileCache)('leaves the choice to NODE_COMPILE_CACHE', async () => {
    expect(isAnswer(await start({ NODE_COMPILE_CACHE: join(home, 'chosen') }))).toBe(true);
    expect(filesIn(home).filter((path) => !path.startsWith('chosen/'))).toEqual([]);
    expect(filesIn(home)).not.toEqual([]);
  });

  it('starts where the cache folder cannot be made', async () => {
    writeFileSync(join(home, '.cache'), 'a file');
    expect(isAnswer(await start())).toBe(true);
    expect(filesIn(home)).toEqual(['.cache']);
  });

  it.skipIf(isRoot)('starts where the cache folder cannot be written to', async () => {
    const folder = join(home, '.cache/tincan/compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o555);
    expect(isAnswer(await start())).toBe(true);
    expect(filesIn(home)).toEqual([]);
  });

  it('does not use a folder that others may write to', async () => {
    const folder = join(home, '.cache/tincan/compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    expect(isAnswer(await start())).toBe(true);
    expect(filesIn(home)).toEqual([]);
  });

  it.runIf(hasCompileCache).each([0.1, 0.5, 0.9])(
    'starts when the byte at %s of each cache file is damaged',
    async (at) => {
      await start();
      const folder = join(home, '.cache/tincan/compiled');
      const files = filesIn(folder).map((path) => join(folder, path));
      expect(files).not.toEqual([]);
      for (const path of files) {
        const bytes = readFileSync(path);
        const index = Math.floor(bytes.length * at);
        bytes[index] = (bytes[index] ?? 0) ^ 0xff;
        writeFileSync(path, bytes);
      }
      expect(isAnswer(await start())).toBe(true);
    },
  );

  it.runIf(hasCompileCache)('makes a folder that only the user may write to', async () => {
    const script = `umask 000; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', script, process.execPath, file, ...args], {
      env: { PATH: process.env['PATH'], HOME: home, TINCAN_HOME: join(scratch, 'data') },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'close');
    expect(statSync(join(home, '.cache/tincan/compiled')).mode & 0o777).toBe(0o700);
  });
});

describe.each(['cli', 'memory', 'answer'])('the committed program file of %s', (name) => {
  const { bin = {} } = readJson<Manifest>(`packages/${name}/package.json`);
  const [[command, path] = ['', '']] = Object.entries(bin);

  it('can be executed', () => {
    expect(path).toBe(`./bin/${command}.js`);
    expect(statSync(join(ROOT, 'packages', name, path)).mode & 0o111).toBe(0o111);
  });

  it('names the command that builds it when it is not built', async () => {
    const folder = join(scratch, 'clone/packages', name);
    cpSync(join(ROOT, 'packages', name, 'bin'), join(folder, 'bin'), { recursive: true });
    const { code, stdout, stderr } = await run(join(folder, path), ['--version'], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `${command} is not built yet: run \`npm run build\` in ${join(scratch, 'clone')}\n`,
    );
  });
});
