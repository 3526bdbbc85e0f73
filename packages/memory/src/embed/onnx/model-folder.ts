import { existsSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { onnxError } from './onnx-error.ts';

/** A model as its folder describes it; the weights are not read for this. */
export interface ModelFolder {
  readonly path: string;
  /** The weights, an ONNX file. */
  readonly weights: string;
  /** `vocab.txt` or `tokenizer.json`. */
  readonly vocabulary: string;
  readonly dim: number;
  /** Word pieces of a text the model can look at, its two markers among them. */
  readonly maxPieces: number;
  readonly pooling: 'mean' | 'cls';
  /** What the model wants before a text of either kind. */
  readonly prefixes: { readonly query: string; readonly note: string };
  /** Changes with the weights. */
  readonly fingerprint: string;
}

const LAYOUT =
  'a folder with `config.json`, `model.onnx` (or one in `onnx/`) and `vocab.txt` or `tokenizer.json`';
/** What a model runs with that says nothing else. */
const MAX_PIECES = 512;
const SLICES = 16;
const SLICE_BYTES = 4_096;

/** Reads what a folder says of the model in it. */
export async function readModelFolder(path: string): Promise<ModelFolder> {
  if (!isAbsolute(path)) {
    throw onnxError(
      `expected \`embedder.model\` to be the absolute path of ${LAYOUT}, got \`${path}\``,
    );
  }
  const config = await readJson(join(path, 'config.json'));
  const weights = await findWeights(path);
  const vocabulary = ['vocab.txt', 'tokenizer.json'].find((name) => existsSync(join(path, name)));
  if (config === undefined || weights === undefined || vocabulary === undefined) {
    throw onnxError(`expected \`${path}\` to be ${LAYOUT}`);
  }
  const pooling = await readJson(join(path, '1_Pooling', 'config.json'));
  const sentences = await readJson(join(path, 'config_sentence_transformers.json'));
  const prompts = record(sentences?.['prompts']);
  return {
    path,
    weights,
    vocabulary: join(path, vocabulary),
    dim: count(config['hidden_size']) ?? 0,
    maxPieces: Math.min(MAX_PIECES, count(config['max_position_embeddings']) ?? MAX_PIECES),
    pooling: pooling?.['pooling_mode_cls_token'] === true ? 'cls' : 'mean',
    prefixes: { query: text(prompts['query']), note: text(prompts['document']) },
    fingerprint: await fingerprintOf(weights),
  };
}

/** Full precision first; of several others the first by name. */
async function findWeights(path: string): Promise<string | undefined> {
  for (const folder of [path, join(path, 'onnx')]) {
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => /^model.*\.onnx$/.test(name)).sort();
    const file = files.includes('model.onnx') ? 'model.onnx' : files[0];
    if (file !== undefined) return join(folder, file);
  }
  return undefined;
}

/** Size and samples of a file: other weights differ everywhere, and reading them all takes its time. */
async function fingerprintOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const slice = Buffer.alloc(SLICE_BYTES);
    let sum = crc32(String(size));
    for (let i = 0; i < SLICES; i += 1) {
      const at = Math.floor((i * Math.max(0, size - SLICE_BYTES)) / (SLICES - 1));
      const { bytesRead } = await file.read(slice, 0, SLICE_BYTES, at);
      sum = crc32(slice.subarray(0, bytesRead), sum);
    }
    return sum.toString(16).padStart(8, '0');
  } finally {
    await file.close();
  }
}

/** The object in a file; `undefined` where there is no such file. */
async function readJson(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    return record(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw onnxError(`expected \`${path}\` to be JSON`, { cause });
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
