import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertLoadable } from '../../../../src/store/sqlite/driver/better-sqlite.ts';
import {
  driverMissing,
  repairCommand,
} from '../../../../src/store/sqlite/driver/driver-missing.ts';
import { makeTempFolder } from '../../temp-folder.ts';

const folder = makeTempFolder();

/** Makes empty files, given as paths below a folder of their own, and returns that folder. */
function place(name: string, ...files: readonly string[]): string {
  for (const file of files) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), '{}');
  }
  return join(folder, name);
}

describe('the error without a driver', () => {
  it.each([
    [
      Object.assign(new Error("Cannot find module 'better-sqlite3/package.json'"), {
        code: 'MODULE_NOT_FOUND',
      }),
      '`better-sqlite3` is not installed',
    ],
    [
      Object.assign(new Error('x'), { code: 'ERR_DLOPEN_FAILED' }),
      '`better-sqlite3` is not built for it',
    ],
    [
      new Error('Could not locate the bindings file. Tried: …'),
      '`better-sqlite3` is not built for it',
    ],
    [new Error('crashes'), '`better-sqlite3` does not load (crashes)'],
  ])('names the Node found, the Node needed and the command: %s', (cause, found) => {
    const error = driverMissing({ own: '3.50.4', cause });
    expect(error).toMatchObject({ code: 'DRIVER_MISSING', cause });
    expect(error.message).toContain(`Node.js ${process.version} has SQLite 3.50.4, ${found}`);
    expect(error.message).toContain('Use Node.js 22.23, 24.20 or newer, or run `npm run build ');
    expect(error.data).toMatchObject({
      node: process.version,
      repair: expect.stringContaining('npm'),
    });
  });

  it('says when Node has no SQLite, and when the package has one that is too old', () => {
    const { message } = driverMissing({ own: undefined, installed: '3.49.0' });
    expect(message).toContain(
      `Node.js ${process.version} has no SQLite, \`better-sqlite3\` has SQLite 3.49.0`,
    );
  });
});

describe('the command that installs a driver', () => {
  const chunk = 'node_modules/tincan-memory/dist/node/main.cjs';

  it('is npm in the project that holds the memory', () => {
    const project = place('project', 'package.json', chunk);
    expect(repairCommand(join(project, chunk), '9')).toBe(
      `npm install --prefix "${project}" better-sqlite3@12`,
    );
    expect(repairCommand(join(project, chunk), '10')).toBe(
      `npm install --prefix "${project}" better-sqlite3@13`,
    );
  });

  it('is global for a global installation', () => {
    const lib = place('lib', chunk);
    expect(repairCommand(join(lib, chunk), '10')).toBe('npm install --global better-sqlite3@13');
  });

  it('is pnpm where pnpm installed', () => {
    const file = 'node_modules/.pnpm/x/node_modules/tincan-memory/dist/main.cjs';
    const project = place('pnpm', 'package.json', file);
    expect(repairCommand(join(project, file), '9')).toBe(
      `pnpm add --dir "${project}" --allow-build=better-sqlite3 better-sqlite3@12`,
    );
  });

  it('is the build in a clone', () => {
    const clone = place('clone', 'tools/setup.mjs', 'packages/memory/package.json');
    expect(repairCommand(join(clone, 'packages/memory/dist/main.cjs'))).toBe(
      `npm run build --prefix "${clone}"`,
    );
  });

  it('is npm in the folder of a bundle', () => {
    const bundle = place('bundle', 'package.json', 'server/main.cjs');
    expect(repairCommand(join(bundle, 'server/main.cjs'), '9')).toBe(
      `npm install --prefix "${bundle}" better-sqlite3@12`,
    );
  });
});

describe('better-sqlite3 13', () => {
  it('is not opened where it would crash Node', () => {
    expect(() => assertLoadable('13.2.0', '9')).toThrow('needs Node-API 10 (Node.js 22.14)');
    expect(() => assertLoadable('13.2.0', '10')).not.toThrow();
    expect(() => assertLoadable('12.11.1', '9')).not.toThrow();
  });
});
