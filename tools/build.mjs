// Builds every package: declarations with tsc, programs with rolldown. One file to load instead of fifty is
// most of what a start costs (docs/dependencies.md has the figures).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const { status } = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

const packages = readdirSync(`${root}/packages`).filter((name) =>
  existsSync(`${root}/packages/${name}/package.json`),
);
await Promise.all(packages.map(bundle));

async function bundle(name) {
  const folder = `${root}/packages/${name}`;
  const build = await rolldown({
    cwd: folder,
    input: {
      ...entriesOf(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))),
      ...workersOf(folder),
    },
    platform: 'node',
    // Node 20 has no `await using`.
    transform: { target: 'node20.19' },
    // What is not a file of the package is loaded as it is: dependencies and Node's own modules.
    // The helpers for lowered syntax come from the bundler itself.
    external: (id) => !/^(?:[./]|@oxc-project\/runtime)/.test(id),
  });
  const { output } = await build.write({
    dir: `${folder}/dist`,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await build.close();
  sweep(`${folder}/dist/chunks`, new Set(output.map(({ fileName }) => fileName)));
}

/** Chunks of earlier builds would be published with the rest. */
function sweep(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!written.has(`chunks/${name.replace(/\.map$/, '')}`)) rmSync(`${folder}/${name}`);
  }
}

/** Entry points by name: what the manifest exports, and its programs. */
function entriesOf({ exports = {}, bin = {} }) {
  const files = [
    ...Object.values(exports).map((entry) => entry.default ?? entry),
    ...Object.values(bin),
  ];
  const names = files
    .filter((file) => /^\.\/dist\/.+\.js$/.test(file))
    .map((file) => file.slice('./dist/'.length, -'.js'.length));
  return Object.fromEntries(names.map((entry) => [entry, `src/${entry}.ts`]));
}

/** Programs of threads: nothing imports them, they are started by their file's name. */
function workersOf(folder) {
  const files = readdirSync(`${folder}/src`, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), `src/${file}`]));
}
