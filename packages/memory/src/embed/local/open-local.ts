import type { Embedder, EmbedOptions } from '../embedder.ts';
import { readStaticManifest, readStaticModel, type StaticModel } from './static-model.ts';
import { textPieces } from './text-pieces.ts';

const dataFolder = new URL('../../../data/', import.meta.url);

/** Where the model's files are; only tests and the tools that make them point elsewhere. */
export interface LocalEmbedderOptions {
  readonly folder?: URL;
}

/**
 * Opens the model that ships with the package: word-piece vectors averaged with learnt weights.
 * Opening reads only its description; the table follows with the first text.
 */
export async function openLocalEmbedder({
  folder = dataFolder,
}: LocalEmbedderOptions = {}): Promise<Embedder> {
  const staticFolder = new URL('static/', folder);
  const manifest = await readStaticManifest(staticFolder);
  let model: Promise<StaticModel> | undefined;

  return {
    provider: 'local',
    model: `${manifest.name}-${manifest.files['vectors.i8'].crc32}`,
    dim: manifest.dim,
    async embed(texts, { signal }: EmbedOptions = {}) {
      signal?.throwIfAborted();
      model ??= readStaticModel(staticFolder, manifest);
      const table = await model;
      signal?.throwIfAborted();
      return texts.map((text) => average(table, textPieces(text, table.wordPiece)));
    },
    close() {
      model = undefined;
      return Promise.resolve();
    },
  };
}

/** A text without a single known piece gets the zero vector: it is near to nothing. */
function average({ dim, vectors, scales }: StaticModel, pieces: Iterable<number>): Float32Array {
  const sum = new Float32Array(dim);
  for (const piece of pieces) {
    const scale = scales[piece] ?? 0;
    if (scale === 0) continue;
    const row = vectors.subarray(piece * dim, (piece + 1) * dim);
    for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + scale * (row[d] ?? 0);
  }
  return toUnitLength(sum);
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  return vector.map((x) => x * factor);
}
