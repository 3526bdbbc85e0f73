// Builds every package: declarations with tsc, code with rolldown (docs/packaging.md#one-build).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleLibrary, bundleProgram } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { status } = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

const packages = readdirSync(`${root}/packages`).filter((name) =>
  existsSync(`${root}/packages/${name}/package.json`),
);
await Promise.all(packages.map((name) => buildPackage(`${root}/packages/${name}`)));
// The plugin may be copied elsewhere, so it knows this clone's program by its full path.
const program = join(root, 'packages/memory/bin/tincan-memory.js');
writeFileSync(`${root}/plugin/program.json`, `${JSON.stringify({ program })}\n`);

async function buildPackage(folder) {
  const { exports = {}, bin } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const library = { ...entriesOf(exports), ...workersOf(folder) };
  await Promise.all([
    Object.keys(library).length > 0 && bundleLibrary(folder, library),
    bin !== undefined && bundleProgram(folder, `${folder}/dist/program`),
  ]);
}

/** Source files of the entry points, by the name of the file in `dist` without its extension. */
function entriesOf(exports) {
  const names = Object.values(exports)
    .map((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default)?.[1])
    .filter((name) => name !== undefined);
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
}

/** Worker threads: no module imports them, they are started by file name. */
function workersOf(folder) {
  const files = readdirSync(`${folder}/src`, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), `src/${file}`]));
}
