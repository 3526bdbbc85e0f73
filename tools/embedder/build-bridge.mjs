/** Makes the Japanese bridge: words of EDICT with the word pieces of their English glosses. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readEdict } from './edict.mjs';
import { WordPiece } from './memory-source.mjs';
import { bridgeRecipe, outputFolder } from './recipe.mjs';
import { packages, unpacked } from './sources.mjs';
import { readTeacherFile } from './teacher.mjs';
import { describeFile } from './write-model.mjs';

const { maxGlosses, maxPieces, dropped } = bridgeRecipe;
const root = unpacked('edict');
const wordPiece = new WordPiece(
  readTeacherFile('vocab.txt').toString('utf8').trimEnd().split('\n'),
);
const unknown = wordPiece.encode('\u{1F9FF}')[0];
const ignored = new Set([unknown, ...wordPiece.encode(dropped)]);

const words = readEdict(fileURLToPath(new URL('usr/share/edict/edict', root)), { maxGlosses });
const keys = [...words.keys()].filter((key) => pieceList(words.get(key)).length > 1).sort();
const glosses = [];
const known = new Map();
const glossStarts = keys.map((key) => {
  const list = pieceList(words.get(key));
  const name = list.join(' ');
  const at = known.get(name) ?? glosses.length;
  if (at === glosses.length) glosses.push(...list);
  known.set(name, at);
  return at;
});
const starts = [0];
for (const key of keys) starts.push(starts.at(-1) + key.length);

const folder = new URL('japanese/', outputFolder());
mkdirSync(folder, { recursive: true });
const bytes = Buffer.concat([
  uint32(starts),
  uint32(glossStarts),
  uint16(keys.flatMap((key) => Array.from({ length: key.length }, (_, i) => key.charCodeAt(i)))),
  uint16(glosses),
]);
writeFileSync(new URL('bridge.bin', folder), bytes);
const manifest = {
  format: 1,
  words: keys.length,
  units: starts.at(-1),
  glosses: glosses.length,
  source: { package: 'edict', ...packages.edict },
  recipe: bridgeRecipe,
  files: { 'bridge.bin': describeFile(bytes) },
};
writeFileSync(new URL('bridge.json', folder), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(new URL('usr/share/doc/edict/copyright', root), new URL('EDICT-LICENCE', folder));
process.stderr.write(`wrote ${keys.length} words, ${bytes.length} bytes\n`);

/** Head (number of glosses, number of pieces) and pieces, cut to `maxPieces`. */
function pieceList(list) {
  const pieces = [];
  let count = 0;
  for (const gloss of list) {
    const ids = wordPiece.encode(gloss).filter((id) => !ignored.has(id));
    if (ids.length === 0 || pieces.length + ids.length > maxPieces) continue;
    pieces.push(...ids);
    count++;
  }
  return [(count << 8) | pieces.length, ...pieces];
}

function uint32(list) {
  const bytes = Buffer.alloc(list.length * 4);
  list.forEach((x, i) => {
    bytes.writeUInt32LE(x, i * 4);
  });
  return bytes;
}

function uint16(list) {
  const bytes = Buffer.alloc(list.length * 2);
  list.forEach((x, i) => {
    bytes.writeUInt16LE(x, i * 2);
  });
  return bytes;
}
