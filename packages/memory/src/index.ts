export type { Embedder, EmbedOptions } from './embed/embedder.ts';
export { openLocalEmbedder } from './embed/local/open-local.ts';
