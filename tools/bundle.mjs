// Bundles entry points of a package with rolldown.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { rolldown } from 'rolldown';

/** Our own packages that a program includes. Other dependencies are loaded where npm installed them. */
const INCLUDED = /^tincan-(?:wire|mcp)(?:\/|$)/;

/** Writes library entry points as ES modules. Every other package stays an import. */
export async function bundleLibrary(folder, input) {
  const chunks = await bundle({
    folder,
    input,
    isExternal: (id) => !isOwnFile(id),
    output: {
      dir: `${folder}/dist`,
      sourcemap: true,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  });
  removeOthers(`${folder}/dist/chunks`, chunks);
}

/**
 * Writes the program `src/main.ts` to a folder as CommonJS. Node caches only what it compiles after the cache is
 * enabled, so the function that enables it is a file of its own.
 */
export async function bundleProgram(
  folder,
  dir,
  { isExternal = isProgramExternal, sourcemap = true } = {},
) {
  const output = {
    dir,
    sourcemap,
    format: 'cjs',
    // `require` starts faster than `import` and can also load an ES module.
    dynamicImportInCjs: false,
    // Node parses the whole file on every start.
    comments: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  };
  const inputs = [{ main: 'src/main.ts' }, { 'compile-cache': 'tincan-wire/compile-cache' }];
  const chunks = await Promise.all(
    inputs.map((input) => bundle({ folder, input, isExternal, output })),
  );
  removeOthers(dir, chunks.flat());
  return chunks.flat();
}

async function bundle({ folder, input, isExternal, output }) {
  const build = await rolldown({
    cwd: folder,
    input,
    platform: 'node',
    resolve: { conditionNames: ['tincan-source', 'node', 'import', 'default'] },
    // Chunks import what they share with an entry from that entry instead of from one more file.
    preserveEntrySignatures: 'allow-extension',
    // Node 20 does not have `await using`.
    transform: { target: 'node20.19' },
    external: isExternal,
  });
  const { output: files } = await build.write(output);
  await build.close();
  return files.filter(({ type }) => type === 'chunk');
}

function isProgramExternal(id) {
  return !isOwnFile(id) && !INCLUDED.test(id);
}

/** Helpers for lowered syntax come from the bundler itself. */
function isOwnFile(id) {
  return id.startsWith('.') || isAbsolute(id) || id.startsWith('@oxc-project/runtime');
}

/** Removes chunks of earlier builds, which npm would publish with the others. */
function removeOthers(folder, chunks) {
  if (!existsSync(folder)) return;
  const names = new Set(chunks.map(({ fileName }) => basename(fileName)));
  for (const name of readdirSync(folder)) {
    if (!names.has(name.replace(/\.map$/, ''))) rmSync(`${folder}/${name}`, { force: true });
  }
}
