/** Every number the static model depends on; they go into its manifest. */
export const recipe = {
  name: 'static-gte-small-256',
  dim: 256,
  seed: 20,
  smoothing: 1e-4,
};

/** Outside the repository's history: teacher vectors and unpacked sources. */
export const cacheFolder = new URL('../../.tmp/embedder/', import.meta.url);

/** Where the finished files go. */
export const dataFolder = new URL('../../packages/memory/data/', import.meta.url);
