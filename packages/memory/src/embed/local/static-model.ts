import { codeStride } from '../../kernel/scan-kernel.ts';
import { createScanKernel } from '../../kernel/simd-kernel.ts';
import {
  type DataFileEntry,
  isDataFileEntry,
  LocalModelError,
  readDataFile,
  readManifest,
} from './data-file.ts';
import { WordComparison } from './word-comparison.ts';
import { WordPiece } from './word-piece.ts';

/** A table of word-piece vectors, each stored as signed bytes and the factor that restores them. */
export interface StaticModel {
  readonly dim: number;
  readonly wordPiece: WordPiece;
  /** Row `id` starts at `id * stride`. */
  readonly vectors: Int8Array;
  readonly stride: number;
  readonly comparison: WordComparison;
  /** What one step of a row's bytes is worth; the row's learnt weight is part of it. */
  readonly scales: Float32Array;
}

/** What `model.json` says: enough to name the model without reading the table. */
export interface StaticModelManifest {
  readonly format: 1;
  readonly name: string;
  readonly dim: number;
  readonly pieces: number;
  readonly files: Readonly<Record<'vectors.i8' | 'scales.f32' | 'vocab.txt', DataFileEntry>>;
}

/** Reads the description of the table in `folder`. */
export function readStaticManifest(folder: URL): Promise<StaticModelManifest> {
  return readManifest(folder, 'model.json', isStaticManifest);
}

/** Reads the table itself; about 8 MB and a few tens of milliseconds. */
export async function readStaticModel(
  folder: URL,
  { dim, pieces, files }: StaticModelManifest,
): Promise<StaticModel> {
  const [vectors, scales, vocabulary] = await Promise.all([
    readDataFile(folder, 'vectors.i8', files['vectors.i8']),
    readDataFile(folder, 'scales.f32', files['scales.f32']),
    readDataFile(folder, 'vocab.txt', files['vocab.txt']),
  ]);
  const words = vocabulary.toString('utf8').trimEnd().split('\n');
  if (
    words.length !== pieces ||
    vectors.length !== pieces * dim ||
    scales.length !== pieces * Float32Array.BYTES_PER_ELEMENT
  ) {
    throw new LocalModelError(
      'DATA_CORRUPT',
      `expected vectors, scales and vocabulary of ${pieces} word pieces, got ${vectors.length / dim}, ${scales.length / 4} and ${words.length}`,
    );
  }
  return {
    dim,
    wordPiece: new WordPiece(words),
    ...tableFrom(vectors, { dim, pieces }),
    scales: floatsFrom(scales),
  };
}

/** Puts the vectors where the kernel can compare them. */
function tableFrom(
  bytes: Buffer,
  { dim, pieces }: Pick<StaticModelManifest, 'dim' | 'pieces'>,
): Pick<StaticModel, 'vectors' | 'stride' | 'comparison'> {
  const kernel = createScanKernel();
  const stride = codeStride(dim);
  const address = kernel.allocate(pieces * stride);
  const comparison = new WordComparison({ kernel, address, pieces, stride });
  const vectors = new Int8Array(kernel.buffer, address, pieces * stride);
  if (stride === dim) vectors.set(bytes);
  else {
    for (let piece = 0; piece < pieces; piece += 1) {
      vectors.set(bytes.subarray(piece * dim, (piece + 1) * dim), piece * stride);
    }
  }
  return { vectors, stride, comparison };
}

/** Files are little-endian, whatever the machine. */
function floatsFrom(bytes: Buffer): Float32Array {
  const floats = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < floats.length; i++) floats[i] = bytes.readFloatLE(i * 4);
  return floats;
}

function isStaticManifest(value: unknown): value is StaticModelManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { format, name, dim, pieces, files } = value as Record<string, unknown>;
  if (format !== 1 || typeof name !== 'string') return false;
  if (typeof dim !== 'number' || typeof pieces !== 'number') return false;
  if (typeof files !== 'object' || files === null) return false;
  const entries = files as Record<string, unknown>;
  return ['vectors.i8', 'scales.f32', 'vocab.txt'].every((file) => isDataFileEntry(entries[file]));
}
