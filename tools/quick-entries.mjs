// Writes the entries that start quickly: a small file with the code of quick-start.mjs, and CommonJS chunks with
// hashes in their names for it to load (docs/packaging.md#how-programs-start).

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { entriesOf, writeEntries } from './write-entries.mjs';

const quickStart = readFileSync(new URL('quick-start.mjs', import.meta.url), 'utf8').replace(
  'export function',
  'function',
);

/** The id of a module that is no file: all the quick entries of a package. */
const WHOLE = './whole';

/** Writes such entries, and the chunks they load, with all they need of the line. Returns the names of the files. */
export async function writeQuick(folder, files) {
  const sources = Object.entries(
    entriesOf(files.map((file) => file.replace('/dist/node/', '/dist/'))),
  ).map(([name, source]) => ({ name, id: resolve(folder, source) }));
  const [main, ...others] = sources;
  const names = new Map();
  const chunks = await writeEntries(folder, {
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
