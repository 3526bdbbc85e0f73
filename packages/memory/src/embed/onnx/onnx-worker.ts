/** Runs a model beside the server's own thread: inference blocks, and nothing else may wait for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryError } from '../../errors.ts';
import { openTransformer, type Transformer, type TransformerFiles } from './transformer.ts';

/** What the worker is asked. */
export interface OnnxRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** What it answers; an error goes over as its parts. */
export type OnnxAnswer =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | {
      readonly id: number;
      readonly message: string;
      readonly data: Readonly<Record<string, unknown>> | undefined;
    };

let transformer: Promise<Transformer> | undefined;

parentPort?.on('message', async ({ id, texts }: OnnxRequest) => {
  parentPort?.postMessage(await answer(id, texts));
});

async function answer(id: number, texts: readonly string[]): Promise<OnnxAnswer> {
  try {
    return { id, vectors: await (await loaded()).embed(texts) };
  } catch (error) {
    const data = error instanceof MemoryError ? error.data : undefined;
    return { id, message: error instanceof Error ? error.message : String(error), data };
  }
}

/** A failure is forgotten: what was missing may be there at the next request. */
async function loaded(): Promise<Transformer> {
  transformer ??= openTransformer(workerData as TransformerFiles);
  try {
    return await transformer;
  } catch (error) {
    transformer = undefined;
    throw error;
  }
}
