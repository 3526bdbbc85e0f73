import type { Embedder, EmbedOptions } from '../embedder.ts';
import type { EmbedderSettings } from '../embedder-settings.ts';
import { readModelFolder } from './model-folder.ts';
import { fromHome, modelFolderOf } from './model-path.ts';
import { onnxError } from './onnx-error.ts';
import { OnnxThread } from './onnx-thread.ts';

/** Texts handed to the thread at once; between two lots a signal is looked at. */
const LOT = 16;

/**
 * Opens a transformer model in a folder on this machine. Opening reads only what describes it; runtime
 * and weights are loaded with the first text, in a thread of their own.
 */
export async function openOnnxEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  const { provider, model, runtime } = settings;
  if (model === '') {
    throw onnxError(
      'provider `onnx` needs `embedder.model`, the absolute path of a folder with an ONNX model',
    );
  }
  const folder = await readModelFolder(modelFolderOf(model));
  const thread = new OnnxThread({
    model: folder,
    runtime: runtime === undefined ? undefined : fromHome(runtime),
  });
  let dim = folder.dim > 0 ? folder.dim : undefined;

  async function embed(
    texts: readonly string[],
    { kind = 'note', signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += LOT) {
      signal?.throwIfAborted();
      const lot = texts.slice(start, start + LOT).map((text) => folder.prefixes[kind] + text);
      vectors.push(...(await thread.embed(lot)));
    }
    signal?.throwIfAborted();
    dim = vectors[0]?.length ?? dim;
    return vectors;
  }

  return {
    provider,
    // The weights decide, so they are part of the name; it opens the same folder again.
    model: `${folder.path}@${folder.fingerprint}`,
    get dim() {
      return dim;
    },
    embed,
    close: () => thread.close(),
  };
}
