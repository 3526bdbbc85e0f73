/** Every number the static model depends on; they go into its manifest. */
export const recipe = {
  name: 'static-gte-small-256',
  dim: 256,
  seed: 20,
  smoothing: 1e-4,
};

/** Every choice the Japanese bridge depends on. */
export const bridgeRecipe = {
  maxGlosses: 3,
  maxPieces: 12,
  dropped: 'a an the of to or and , . - \' " / in on for with something someone one oneself etc',
};

/** Outside the repository's history: teacher vectors and unpacked sources. */
export const cacheFolder = new URL('../../.tmp/embedder/', import.meta.url);

/** Where the finished files go, unless the command line names another folder (with a slash at its end). */
export function outputFolder() {
  const [, , folder = '../../packages/memory/data/'] = process.argv;
  return new URL(folder, import.meta.url);
}
