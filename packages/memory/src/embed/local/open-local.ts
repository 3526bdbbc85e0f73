import { toUnitLength } from '../../vectors.ts';
import type { Embedder, EmbedOptions } from '../embedder.ts';
import { findDataFolder } from './data-folder.ts';
import { readBridge, readBridgeManifest } from './japanese-bridge.ts';
import { readStaticManifest, readStaticModel, type StaticModel } from './static-model.ts';
import { countPieces, hasJapanese, type TextReader } from './text-pieces.ts';
import { wordLikeness } from './word-likeness.ts';

/** Where the model's files are; only tests and the tools that make them point elsewhere. */
export interface LocalEmbedderOptions {
  readonly folder?: URL;
}

/**
 * Opens the model that ships with the package: word-piece vectors averaged with learnt weights.
 * Opening reads only its description; the table follows with the first text, the Japanese
 * dictionary with the first Japanese one.
 */
export async function openLocalEmbedder({
  folder = findDataFolder(import.meta.url),
}: LocalEmbedderOptions = {}): Promise<Embedder> {
  const staticFolder = new URL('static/', folder);
  const bridgeFolder = new URL('japanese/', folder);
  const [manifest, bridgeManifest] = await Promise.all([
    readStaticManifest(staticFolder),
    readBridgeManifest(bridgeFolder),
  ]);
  const model = loadOnce(() => readStaticModel(staticFolder, manifest));
  const bridge = loadOnce(() => readBridge(bridgeFolder, bridgeManifest));

  return {
    provider: 'local',
    // Both files decide a vector, so both are part of the name.
    model: [
      manifest.name,
      manifest.files['vectors.i8'].crc32,
      bridgeManifest.files['bridge.bin'].crc32,
    ].join('-'),
    dim: manifest.dim,
    async embed(texts, { kind, signal, weigh }: EmbedOptions = {}) {
      signal?.throwIfAborted();
      const [table, dictionary] = await Promise.all([
        model.get(),
        texts.some(hasJapanese) ? bridge.get() : undefined,
      ]);
      signal?.throwIfAborted();
      const isFading = kind !== 'query';
      return texts.map((text) =>
        // Japanese words are weighed by their glosses already.
        average(text, table, {
          isFading,
          ...(hasJapanese(text) ? { bridge: dictionary } : { bridge: undefined, weigh }),
        }),
      );
    },
    async likeness(words, texts) {
      return wordLikeness(words, texts, await model.get());
    },
    close() {
      model.forget();
      bridge.forget();
      return Promise.resolve();
    },
  };
}

/** Loads on first use. A failure is forgotten: the next use tries again. */
function loadOnce<T>(load: () => Promise<T>): { get(): Promise<T>; forget(): void } {
  let value: Promise<T> | undefined;
  return {
    async get() {
      value ??= load();
      try {
        return await value;
      } catch (error) {
        value = undefined;
        throw error;
      }
    },
    forget() {
      value = undefined;
    },
  };
}

/** A text without a single known piece gets the zero vector: it is near to nothing. */
function average(
  text: string,
  { dim, stride, vectors, scales, wordPiece }: StaticModel,
  reading: Omit<TextReader, 'wordPiece'>,
): Float32Array {
  const sum = new Float32Array(dim);
  for (const [piece, count] of countPieces(text, { wordPiece, ...reading })) {
    // The root keeps a word that a long text repeats from drowning the others.
    const share = reading.weigh === undefined ? Math.sqrt(count) : count;
    const factor = (scales[piece] ?? 0) * share;
    if (factor === 0) continue;
    const row = vectors.subarray(piece * stride, piece * stride + dim);
    for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + factor * (row[d] ?? 0);
  }
  return toUnitLength(sum);
}
