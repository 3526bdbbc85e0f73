import { writeFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { rolldown } from 'rolldown';

/** Writes some entries of a package and their chunks; what is not `inner` is loaded as it is. */
export async function writeEntries(
  folder,
  { input, inner, format, entries, chunks, plugins, comments, finish },
) {
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
    external: (id) => !inner.test(id) && !isAbsolute(id) && !id.startsWith('@oxc-project/runtime'),
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

/** Entry points by name, from the files that a manifest names. */
export function entriesOf(files) {
  const names = files
    .filter((file) => /^\.\/dist\/.+\.c?js$/.test(file))
    .map((file) => file.slice('./dist/'.length, file.lastIndexOf('.')));
  return Object.fromEntries(names.map((entry) => [entry, `src/${entry}.ts`]));
}
