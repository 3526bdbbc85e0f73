import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import type { BridgeManifest } from '../../../src/embed/local/japanese-bridge.ts';

/** A model small enough to read: a few word pieces in two dimensions and a dictionary of a few words. */
export const smallVocabulary: readonly string[] = ['[UNK]', 'cat', 'dog', '##s', 'read', 'file'];
const rows = [
  [0, 0],
  [127, 0],
  [0, 127],
  [0, 0],
  [90, 90],
  [-127, 0],
];
const scales = [0, 1, 2, 0, 1, 1];

/** Words with their glosses; a gloss is a list of word pieces by number. */
export type SmallDictionary = Readonly<Record<string, readonly (readonly number[])[]>>;
export const smallDictionary: SmallDictionary = {
  犬: [[2]],
  猫: [[1]],
  猫犬: [[1, 2], [4]],
};

/** Writes the small model into a fresh folder laid out like the package's own. */
export function writeSmallData(): URL {
  const folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'local-model-'))}/`);
  const table = new URL('static/', folder);
  const japanese = new URL('japanese/', folder);
  mkdirSync(table);
  mkdirSync(japanese);
  const scaleBytes = Buffer.alloc(scales.length * 4);
  scales.forEach((scale, i) => {
    scaleBytes.writeFloatLE(scale, i * 4);
  });
  const files = {
    'vectors.i8': Buffer.from(Int8Array.from(rows.flat()).buffer),
    'scales.f32': scaleBytes,
    'vocab.txt': Buffer.from(`${smallVocabulary.join('\n')}\n`),
  };
  writeFolder(table, 'model.json', files, {
    format: 1,
    name: 'small',
    dim: 2,
    pieces: smallVocabulary.length,
  });
  const { bytes, counts } = bridgeBytes(smallDictionary);
  writeFolder(japanese, 'bridge.json', { 'bridge.bin': bytes }, { format: 1, ...counts });
  return folder;
}

/** The dictionary's file, written here a second time so that reader and writer check each other. */
export function bridgeBytes(dictionary: SmallDictionary): {
  bytes: Buffer;
  counts: Pick<BridgeManifest, 'words' | 'units' | 'glosses'>;
} {
  const words = Object.keys(dictionary).sort();
  const starts = [0];
  const glossStarts: number[] = [];
  const glosses: number[] = [];
  for (const word of words) {
    const list = dictionary[word] ?? [];
    starts.push((starts.at(-1) ?? 0) + word.length);
    glossStarts.push(glosses.length);
    glosses.push(list.length * 256 + list.flat().length, ...list.flat());
  }
  const units = Array.from(words.join(''), (_, i) => words.join('').charCodeAt(i));
  const bytes = Buffer.concat([
    Buffer.from(Uint32Array.from([...starts, ...glossStarts]).buffer),
    Buffer.from(Uint16Array.from([...units, ...glosses]).buffer),
  ]);
  return { bytes, counts: { words: words.length, units: units.length, glosses: glosses.length } };
}

function writeFolder(
  folder: URL,
  manifestName: string,
  files: Readonly<Record<string, Buffer>>,
  manifest: object,
): void {
  const entries: Record<string, object> = {};
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(new URL(name, folder), bytes);
    entries[name] = { bytes: bytes.length, crc32: crc32(bytes).toString(16).padStart(8, '0') };
  }
  writeFileSync(new URL(manifestName, folder), JSON.stringify({ ...manifest, files: entries }));
}
