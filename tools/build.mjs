// Builds every package: declarations with tsc, programs with rolldown. One file to load instead of fifty is
// most of what a start costs (docs/dependencies.md has the figures).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeQuick } from './quick-entries.mjs';
import { entriesOf, writeEntries } from './write-entries.mjs';

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

/**
 * Each entry is written plainly, for bundlers and other runtimes. What a client starts with every session and
 * waits for is written once more for Node (docs/packaging.md): the libraries that have such an entry, and
 * the programs in CommonJS, which Node starts without its loader of modules.
 */
async function bundle(name) {
  const folder = `${root}/packages/${name}`;
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const entries = Object.values(exports);
  const programs = Object.values(bin);
  const plain = {
    ...entriesOf(entries.map((entry) => entry.default ?? entry)),
    ...entriesOf(programs.filter((file) => file.endsWith('.js'))),
    ...workersOf(folder),
  };
  const quick = [
    ...entries.map(({ node }) => node).filter((file) => file !== undefined),
    ...programs.filter((file) => file.endsWith('.cjs')),
  ];
  const written = [
    ...(await writePlain(folder, plain)),
    ...(quick.length > 0 ? await writeQuick(folder, quick) : []),
  ];
  for (const each of ['chunks', 'node']) sweep(`${folder}/dist/${each}`, new Set(written));
}

/** Writes entries as modules, with what the package itself has. */
async function writePlain(folder, input) {
  const output = await writeEntries(folder, {
    input,
    inner: /^[./]/,
    format: 'esm',
    entries: '[name].js',
    chunks: 'chunks/[name]-[hash].js',
    plugins: [],
    comments: true,
    finish: takeBuiltins,
  });
  return output.map(({ fileName }) => fileName);
}

/**
 * A module imported from Node is loaded with all it could ever give away, promises and web streams
 * included; asked for by name it gives what is taken. Line by line the same, so source maps hold.
 */
function takeBuiltins(code) {
  return code.replace(
    /^import (\{[^}]*\}|\w+) from "(node:[^"]+)";$/gm,
    (_, names, id) =>
      `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${id}");`,
  );
}

/** Chunks of earlier builds, and what V8 kept of them, would be published with the rest. */
function sweep(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const chunk = `${basename(folder)}/${name.replace(/\.map$/, '')}`;
    if (!written.has(chunk)) rmSync(`${folder}/${name}`, { force: true });
  }
}

/** Programs of threads: nothing imports them, they are started by their file's name. */
function workersOf(folder) {
  const files = readdirSync(`${folder}/src`, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), `src/${file}`]));
}
