import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Writes table, factors, vocabulary and the manifest that lets a reader notice damage. */
export function writeModel(folder, { table, pieces, dim, vocabulary, description }) {
  mkdirSync(folder, { recursive: true });
  const { vectors, scales } = quantise(table, pieces, dim);
  const contents = { 'vectors.i8': vectors, 'scales.f32': scales, 'vocab.txt': vocabulary };
  const files = {};
  for (const [name, bytes] of Object.entries(contents)) {
    writeFileSync(new URL(name, folder), bytes);
    files[name] = describeFile(bytes);
  }
  const manifest = { format: 1, ...description, dim, pieces, files };
  writeFileSync(new URL('model.json', folder), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Length, checksum (read at load) and hash (read by whoever verifies a copy) of a file. */
export function describeFile(bytes) {
  return {
    bytes: bytes.length,
    crc32: crc32(bytes).toString(16).padStart(8, '0'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Each row on its own scale: the largest entry of a row becomes ±127. */
function quantise(table, pieces, dim) {
  const vectors = Buffer.alloc(pieces * dim);
  const scales = Buffer.alloc(pieces * 4);
  for (let id = 0; id < pieces; id++) {
    const row = table.subarray(id * dim, (id + 1) * dim);
    let largest = 0;
    for (const x of row) largest = Math.max(largest, Math.abs(x));
    const scale = Math.fround(largest / 127);
    scales.writeFloatLE(scale, id * 4);
    if (scale === 0) continue;
    row.forEach((x, d) => {
      vectors.writeInt8(Math.round(x / scale), id * dim + d);
    });
  }
  return { vectors, scales };
}
