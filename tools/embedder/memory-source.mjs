/** The package's own readers, bundled from source: a text is cut here exactly as it will be at run time. */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { cacheFolder } from './recipe.mjs';

const source = new URL('../../packages/memory/src/embed/local/', import.meta.url);
const target = new URL('memory-source/', cacheFolder);
const entries = ['word-piece', 'text-pieces', 'open-local'];

await build({
  input: Object.fromEntries(
    entries.map((name) => [name, fileURLToPath(new URL(`${name}.ts`, source))]),
  ),
  platform: 'node',
  logLevel: 'warn',
  output: { dir: fileURLToPath(target), entryFileNames: '[name].mjs' },
});

/** Cuts text into word pieces. */
export const { WordPiece } = await import(new URL('word-piece.mjs', target));
/** Counts the pieces of a text as the embedder does. */
export const { countPieces } = await import(new URL('text-pieces.mjs', target));
/** Opens a finished model, to measure with. */
export const { openLocalEmbedder } = await import(new URL('open-local.mjs', target));
