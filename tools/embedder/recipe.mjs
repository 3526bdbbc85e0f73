import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Every number the static model depends on; they go into its manifest. */
export const recipe = {
  name: 'static-gte-small-256',
  dim: 256,
  seed: 20,
  smoothing: 1e-4,
  corpus: { maxPieces: 64, maxCodePieces: 96, maxBody: 400, maxFunctions: 1_200 },
  regression: { epochs: 3, rate: 0.3 },
  contrast: { epochs: 1, rate: 0.003, temperature: 0.05, batch: 128 },
};

/** Every choice the Japanese bridge depends on. */
export const bridgeRecipe = {
  maxGlosses: 3,
  maxPieces: 12,
  dropped: 'a an the of to or and , . - \' " / in on for with something someone one oneself etc',
};

/** Outside the repository's history: teacher vectors and unpacked sources. */
export const cacheFolder = new URL('../../.tmp/embedder/', import.meta.url);

/** Where the finished files go, unless the command line names another folder. */
export function outputFolder() {
  const [, , folder] = process.argv;
  if (folder === undefined) return new URL('../../packages/memory/data/', import.meta.url);
  return pathToFileURL(`${resolve(folder)}/`);
}
