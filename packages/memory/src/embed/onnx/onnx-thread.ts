import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { MemoryError } from '../../errors.ts';
import { findDataFolder } from '../local/data-folder.ts';
import { onnxError } from './onnx-error.ts';
import type { OnnxAnswer } from './onnx-worker.ts';
import type { TransformerFiles } from './transformer.ts';

/** The thread that runs a model: started by the first request, and anew after it died. */
export class OnnxThread {
  readonly #files: TransformerFiles;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #requests = 0;

  constructor(files: TransformerFiles) {
    this.#files = files;
  }

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.#worker ??= this.#start();
    // The program may end while the thread is idle, not while somebody waits for it.
    this.#worker.ref();
    this.#requests += 1;
    const id = this.#requests;
    this.#worker.postMessage({ id, texts });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail('the embedding model was closed');
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(workerFile(), {
      workerData: this.#files,
      // Flags of the program are its own: conditions and hooks would lead the thread elsewhere.
      execArgv: [],
      stdout: true,
    });
    // stdout belongs to the protocol: what a runtime prints there is dropped.
    worker.stdout.resume();
    worker.on('message', (answer: OnnxAnswer) => this.#settle(worker, answer));
    const died = (cause?: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fail('the thread of the embedding model died', cause);
    };
    worker.on('error', died);
    worker.on('exit', () => died());
    return worker;
  }

  #settle(worker: Worker, answer: OnnxAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('vectors' in answer) waiting?.resolve(answer.vectors);
    else waiting?.reject(errorFrom(answer.message, answer.data));
  }

  #fail(message: string, cause?: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(onnxError(message, { cause }));
    this.#waiting.clear();
  }
}

interface Waiting {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/** An error as it was thrown over there; one that was not foreseen is the model's. */
function errorFrom(message: string, data: Readonly<Record<string, unknown>> | undefined): Error {
  if (data === undefined) return onnxError(`the embedding model failed: ${message}`);
  return new MemoryError('PROVIDER', message, { data });
}

/** Built with the package, wherever the module that asks was bundled to. */
function workerFile(): URL {
  const file = new URL('../dist/embed/onnx/onnx-worker.js', findDataFolder(import.meta.url));
  if (existsSync(file)) return file;
  throw onnxError('the worker of the embedding model is missing', {
    repair: 'install `tincan-memory` from npm',
  });
}
