// Builds every package: declarations with tsc, programs with rolldown. One file to load instead of fifty is
// most of what a start costs (docs/dependencies.md has the figures).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const { status } = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

/** Packages whose program a client starts with every session, and waits for. */
const SERVERS = ['memory', 'answer'];

/**
 * Such a program is one file with what it needs of the line, and CommonJS: Node starts that without its
 * loader of modules, a fifth faster.
 */
const ALONE = { inner: /^(?:[./]|@tincan\/(?:wire|mcp)(?:\/|$))/, format: 'cjs' };

const packages = readdirSync(`${root}/packages`).filter((name) =>
  existsSync(`${root}/packages/${name}/package.json`),
);
await Promise.all(packages.map(bundle));

async function bundle(name) {
  const folder = `${root}/packages/${name}`;
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const isServer = SERVERS.includes(name);
  const library = {
    ...entriesOf([
      ...Object.values(manifest.exports ?? {}).map((entry) => entry.default ?? entry),
      ...(isServer ? [] : Object.values(manifest.bin ?? {})),
    ]),
    ...workersOf(folder),
  };
  const written = [
    ...(await write(folder, { input: library, inner: /^[./]/ })),
    ...(isServer
      ? await write(folder, { input: entriesOf(Object.values(manifest.bin)), ...ALONE })
      : []),
  ];
  sweep(`${folder}/dist/chunks`, new Set(written));
}

/** Writes some entries of a package and their chunks; what is not `inner` is loaded as it is. */
async function write(folder, { input, inner, format = 'esm' }) {
  const ending = format === 'cjs' ? 'cjs' : 'js';
  const build = await rolldown({
    cwd: folder,
    input,
    platform: 'node',
    resolve: { conditionNames: ['@tincan/source', 'node', 'import', 'default'] },
    // What lazy parts need of an entry is taken from it, not from one more file.
    preserveEntrySignatures: 'allow-extension',
    // Node 20 has no `await using`.
    transform: { target: 'node20.19' },
    // The helpers for lowered syntax come from the bundler itself.
    external: (id) => !inner.test(id) && !id.startsWith('@oxc-project/runtime'),
  });
  const { output } = await build.write({
    dir: `${folder}/dist`,
    format,
    sourcemap: true,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `chunks/[name]-[hash].${ending}`,
  });
  await build.close();
  for (const { fileName, code } of output) {
    if (format === 'esm' && code !== undefined) {
      writeFileSync(`${folder}/dist/${fileName}`, takeBuiltins(code));
    }
  }
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

/** Chunks of earlier builds would be published with the rest. */
function sweep(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!written.has(`chunks/${name.replace(/\.map$/, '')}`)) rmSync(`${folder}/${name}`);
  }
}

/** Entry points by name, from the files that a manifest names. */
function entriesOf(files) {
  const names = files
    .filter((file) => /^\.\/dist\/.+\.c?js$/.test(file))
    .map((file) => file.slice('./dist/'.length, file.lastIndexOf('.')));
  return Object.fromEntries(names.map((entry) => [entry, `src/${entry}.ts`]));
}

/** Programs of threads: nothing imports them, they are started by their file's name. */
function workersOf(folder) {
  const files = readdirSync(`${folder}/src`, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('-worker.ts'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), `src/${file}`]));
}
