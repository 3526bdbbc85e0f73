import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findManifest } from '../../../../src/store/sqlite/driver/better-sqlite.ts';

const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tincan-driver-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds a driver that is installed after it was missed, and Node can load it', () => {
  const require = createRequire(join(folder, 'program.cjs'));
  expect(() => findManifest(require)).toThrow(
    expect.objectContaining({
      code: 'MODULE_NOT_FOUND',
      message: "Cannot find module 'better-sqlite3/package.json'",
    }),
  );
  const installed = join(folder, 'node_modules/better-sqlite3');
  mkdirSync(join(installed, 'lib'), { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{ "main": "lib/main.js" }');
  writeFileSync(join(installed, 'lib/main.js'), 'module.exports = 42;');
  const manifest = findManifest(require);
  expect(manifest).toBe(join(installed, 'package.json'));
  expect(require(dirname(manifest))).toBe(42);
});
