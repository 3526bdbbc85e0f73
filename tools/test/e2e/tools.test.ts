import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const TOOLS = resolve(import.meta.dirname, '../..');

/** A checkout with nothing in it but the tools and what a test puts there. */
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tincan-tools-'));
  for (const tool of ['setup.mjs', 'ensure-driver.mjs', 'complete-lock.mjs', 'count-tests.mjs']) {
    cpSync(join(TOOLS, tool), join(root, 'tools', tool));
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: object | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function run(tool: string, ...args: string[]): { status: number | null; out: string; err: string } {
  const env = { ...process.env, npm_execpath: join(root, 'npm.cjs') };
  const script = join(root, 'tools', tool);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

const DRIVER = 'node_modules/better-sqlite3/index.js';

describe('setup', () => {
  const lock = {
    packages: {
      '': { name: 'root' },
      'packages/wire': { version: '0.1.0' },
      'node_modules/tincan-wire': { resolved: 'packages/wire', link: true },
      'node_modules/vitest': { version: '4.1.12' },
      'node_modules/binary-darwin': { version: '1.0.0', optional: true },
    },
  };
  const asInstalled = {
    packages: {
      'node_modules/tincan-wire': { resolved: 'packages/wire', link: true },
      'node_modules/vitest': { version: '4.1.12' },
    },
  };

  beforeEach(() => {
    put('package-lock.json', lock);
    put('npm.cjs', 'console.error("npm", process.argv[2]);');
    put('node_modules/vitest/package.json', {});
    put('tools/build.mjs', 'console.error("build");');
    put(DRIVER, 'module.exports = class {};');
  });

  it('installs in a fresh checkout and then builds, with nothing on stdout', () => {
    const { status, out, err } = run('setup.mjs');
    expect(status).toBe(0);
    expect(err).toBe('installing dependencies (npm ci)\nnpm ci\nbuild\n');
    expect(out).toBe('');
  });

  it('only builds where everything but a binary of another platform is there', () => {
    put('node_modules/.package-lock.json', asInstalled);
    expect(run('setup.mjs').err).toBe('build\n');
  });

  it.each([
    ['another version is there', { 'node_modules/vitest': { version: '4.1.11' } }],
    ['a package is missing', { 'node_modules/vitest': undefined }],
    [
      'another version of a binary is there',
      { 'node_modules/binary-darwin': { version: '0.9.0' } },
    ],
  ])('installs when %s', (_what, change) => {
    put('node_modules/.package-lock.json', { packages: { ...asInstalled.packages, ...change } });
    expect(run('setup.mjs').err).toContain('npm ci\n');
  });

  it('never installs into a folder that is shared with another checkout', () => {
    cpSync(join(root, 'node_modules'), join(root, 'elsewhere'), { recursive: true });
    rmSync(join(root, 'node_modules'), { recursive: true });
    symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules'), 'dir');
    expect(run('setup.mjs').err).toBe('build\n');
  });

  it.each([
    ['npm.cjs', 3],
    ['tools/build.mjs', 2],
  ])('stops with the exit code of %s', (program, code) => {
    put(program, `process.exit(${code});`);
    expect(run('setup.mjs').status).toBe(code);
  });

  describe('where better-sqlite3 is not built', () => {
    const hasOwnSqlite = ownSqlite(process.versions['sqlite']);
    beforeEach(() => {
      put('node_modules/.package-lock.json', asInstalled);
      put(DRIVER, 'throw new Error("no binding");');
    });

    it.runIf(hasOwnSqlite)('builds none for a Node that has a safe SQLite', () => {
      expect(run('setup.mjs')).toEqual({ status: 0, out: '', err: 'build\n' });
    });

    it.runIf(!hasOwnSqlite)(
      "builds it with the headers beside Node, whatever npm's configuration",
      () => {
        const file = JSON.stringify(join(root, DRIVER));
        put(
          'npm.cjs',
          `console.log('compiler output');
        const { writeFileSync } = require('node:fs');
        writeFileSync('asked.json', JSON.stringify([process.argv.slice(2), process.env.npm_config_nodedir]));
        writeFileSync(${file}, 'module.exports = class {};');`,
        );
        expect(run('setup.mjs')).toEqual({
          status: 0,
          out: '',
          err: `building better-sqlite3 for Node.js ${process.version}\nbuild\n`,
        });
        const folder = dirname(dirname(process.execPath));
        const hasHeaders = existsSync(join(folder, 'include/node/node_version.h'));
        const [args, nodedir] = JSON.parse(
          readFileSync(join(root, 'asked.json'), 'utf8'),
        ) as unknown[];
        expect(args).toEqual([
          ...['run', 'install', '--prefix', join(root, 'node_modules/better-sqlite3')],
          '--loglevel=error',
        ]);
        expect(nodedir).toBe(hasHeaders ? folder : process.env['npm_config_nodedir']);
      },
    );

    it.runIf(!hasOwnSqlite)('stops, shows what the compiler said and names the newer Node', () => {
      put('npm.cjs', `console.log('compiler output'); process.exit(1);`);
      const { status, err } = run('setup.mjs');
      expect(status).toBe(1);
      expect(err).toContain('compiler output');
      expect(err).toContain('Use Node.js 22.23, 24.20 or newer, which needs no driver, or ');
      expect(err).not.toContain('build\n');
    });
  });
});

describe('the driver of a clone', () => {
  it.each([
    [undefined, false],
    ['3.47.0', false],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.0', true],
    ['4.0.0', true],
  ])("counts Node's SQLite %s: %s", (version, isSafe) => {
    expect(ownSqlite(version)).toBe(isSafe);
  });

  it.each([
    [[], true, '`apt install build-essential python3`'],
    [['python3'], true, '`apt install build-essential`'],
    [['g++', 'make', 'python3'], false, '`apt install libnode-dev`'],
    [['g++', 'make', 'python3'], true, 'read the messages above'],
  ])('names the Debian packages that are missing beside %j', (there, hasHeaders, words) => {
    const code = `(there) => explain({ hasHeaders: ${hasHeaders}, canRun: (name) => there.includes(name) })`;
    expect(evaluate(code, there)).toContain(words);
  });
});

/** What a function of `ensure-driver.mjs` returns. */
function evaluate(code: string, argument: unknown): unknown {
  const file = JSON.stringify(pathToFileURL(join(TOOLS, 'ensure-driver.mjs')).href);
  const program = `import { explain, hasOwnSqlite } from ${file};
    console.log(JSON.stringify((${code})(${JSON.stringify(argument)})));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
}

function ownSqlite(version: string | undefined): unknown {
  return evaluate('hasOwnSqlite', version);
}

describe('complete-lock', () => {
  const parent = {
    version: '2.0.0',
    dev: true,
    license: 'MIT',
    optionalDependencies: {
      '@x/cli-linux-x64-musl': '2.0.0',
      '@x/cli-win32-arm64': '2.0.0',
      '@x/binding-wasm32-wasi': '2.0.0',
    },
  };

  it('says what is missing, adds it with its platform, and is content then', () => {
    put('package-lock.json', { packages: { 'node_modules/@x/cli': parent } });
    const before = run('complete-lock.mjs', '--check');
    expect(before.status).toBe(1);
    expect(before.err).toContain('misses @x/cli-win32-arm64@2.0.0');

    expect(run('complete-lock.mjs').status).toBe(0);

    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const common = { version: '2.0.0', dev: true, license: 'MIT', optional: true };
    expect(packages).toEqual({
      'node_modules/@x/cli': parent,
      'node_modules/@x/binding-wasm32-wasi': { ...common, cpu: ['wasm32'] },
      'node_modules/@x/cli-linux-x64-musl': {
        ...common,
        cpu: ['x64'],
        libc: ['musl'],
        os: ['linux'],
      },
      'node_modules/@x/cli-win32-arm64': { ...common, cpu: ['arm64'], os: ['win32'] },
    });
    expect(run('complete-lock.mjs', '--check').status).toBe(0);
  });

  it('cannot add what is named by a range', () => {
    const ranged = { ...parent, optionalDependencies: { '@x/cli-darwin-x64': '^2.0.0' } };
    put('package-lock.json', { packages: { 'node_modules/@x/cli': ranged } });
    const { status, err } = run('complete-lock.mjs');
    expect(status).toBe(1);
    expect(err).toContain('cannot add @x/cli-darwin-x64@^2.0.0');
  });
});

describe('count-tests', () => {
  const passed = { status: 'passed', assertionResults: [{}, {}] };
  const unloaded = { status: 'failed', assertionResults: [] };

  it.each([
    [0, '2 passed, 0 failed', { success: true, numFailedTests: 0, testResults: [passed] }],
    [1, '2 passed, 3 failed', { success: false, numFailedTests: 3, testResults: [passed] }],
    [
      1,
      '2 passed, 1 failed',
      { success: false, numFailedTests: 0, testResults: [passed, unloaded] },
    ],
    [1, '2 passed, 0 failed', { success: false, numFailedTests: 0, testResults: [passed] }],
  ])('case %#: prints what passed and what failed, and exits with %d', (code, line, report) => {
    put('report.json', { numPassedTests: 2, ...report });
    const { status, out } = run('count-tests.mjs', join(root, 'report.json'));
    expect(out).toBe(`${line}\n`);
    expect(status).toBe(code);
  });

  it('fails where there is no report', () => {
    expect(run('count-tests.mjs', join(root, 'none.json')).status).not.toBe(0);
  });
});
