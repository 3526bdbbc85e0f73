// Builds every package: declarations with tsc, programs with rolldown. One file to load instead of fifty is
// most of what a start costs (docs/dependencies.md has the figures).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const { status } = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

const quickStart = readFileSync(new URL('quick-start.mjs', import.meta.url), 'utf8').replace(
  'export function',
  'function',
);

/** The id of a module that is no file: all the quick entries of a package. */
const WHOLE = './whole';

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
  const output = await write(folder, {
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

/** Writes entries that start quickly, and the chunks they load, with all they need of the line. */
async function writeQuick(folder, files) {
  const sources = Object.entries(
    entriesOf(files.map((file) => file.replace('/dist/node/', '/dist/'))),
  ).map(([name, source]) => ({ name, id: resolve(folder, source) }));
  const [main, ...others] = sources;
  const names = new Map();
  const chunks = await write(folder, {
    input: { [main.name]: others.length > 0 ? WHOLE : main.id },
    inner: /^(?:[./]|@tincan\/(?:wire|mcp)(?:\/|$))/,
    format: 'cjs',
    entries: 'node/[name]-[hash].cjs',
    chunks: 'node/[name]-[hash].cjs',
    plugins: [wholeOf(main, others), { name: 'exports', generateBundle: readExports }],
    // Every byte is read with every start.
    comments: false,
    // The line for the shell is in the entry.
    finish: (code) => escapeForeign(code.replace(/^#!.*/, '')),
  });
  function readExports() {
    for (const { id } of sources) names.set(id, this.getModuleInfo(id).exports);
  }
  for (const [i, file] of files.entries()) {
    const { id } = sources[i];
    const chunk = chunks.find((each) =>
      id === main.id ? each.isEntry : each.facadeModuleId === id,
    );
    writeFileSync(`${folder}/${file}`, quickEntry(file, basename(chunk.fileName), names.get(id)));
  }
  return [
    ...chunks.map(({ fileName }) => fileName),
    ...files.map((file) => file.replace('./dist/', '')),
  ];
}

/** One entry with the others as lazy parts of it: the first is one file, and the others take from it. */
function wholeOf(main, others) {
  const parts = others.map(({ id }) => `() => import(${JSON.stringify(id)})`);
  const code = `export * from ${JSON.stringify(main.id)};\nexport const parts = [${parts}];`;
  return {
    name: 'whole',
    resolveId: (id) => (id === WHOLE ? id : undefined),
    load: (id) => (id === WHOLE ? code : undefined),
  };
}

function quickEntry(file, chunk, names) {
  const name = JSON.stringify(chunk);
  if (file.endsWith('.cjs')) {
    return `#!/usr/bin/env node\n${quickStart}quickStart(__dirname + '/node', ${name});\n`;
  }
  const call = `quickStart(import.meta.dirname, ${name})`;
  return `${quickStart}export const { ${names.toSorted().join(', ')} } = ${call};\n`;
}

/** Writes some entries of a package and their chunks; what is not `inner` is loaded as it is. */
async function write(folder, { input, inner, format, entries, chunks, plugins, comments, finish }) {
  const build = await rolldown({
    cwd: folder,
    input,
    plugins,
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
    comments,
    // What V8 kept cannot import; what is loaded late is required.
    dynamicImportInCjs: false,
    entryFileNames: entries,
    chunkFileNames: chunks,
  });
  await build.close();
  const written = output.filter(({ type }) => type === 'chunk');
  for (const { fileName, code } of written) {
    writeFileSync(`${folder}/dist/${fileName}`, finish(code));
  }
  return written;
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

/** Letters beyond ASCII, spelt otherwise: one of them would make every letter of the file take two bytes. */
function escapeForeign(code) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what it is.
  const foreign = /[^\x00-\x7f]/g;
  if (/\\[^ -~\s]|String\.raw`[^`]*[^ -~\s]/.test(code)) {
    throw new Error('a letter beyond ASCII where it cannot be spelt otherwise');
  }
  return code.replace(
    foreign,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Chunks of earlier builds, and what V8 kept of them, would be published with the rest. */
function sweep(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const chunk = `${basename(folder)}/${name.replace(/\.map$/, '')}`;
    if (!written.has(chunk)) rmSync(`${folder}/${name}`);
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
