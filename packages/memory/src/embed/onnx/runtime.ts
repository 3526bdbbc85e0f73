import { createRequire } from 'node:module';
import { join } from 'node:path';
import { onnxError } from './onnx-error.ts';

/** The part of `onnxruntime-node` that is used here; the package is not a dependency and has no types here. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: object): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

/** A loaded model. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

/** Numbers in a shape. */
export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

const RUNTIME = 'onnxruntime-node';

/** Loads the runtime a user installed beside the model, or else where this package is. */
export function loadRuntime(folder: string): OnnxRuntime {
  let cause: unknown;
  for (const base of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return createRequire(base)(RUNTIME) as OnnxRuntime;
    } catch (error) {
      // What is there and does not load says more than what is not there.
      if (cause === undefined || !isAbsent(error)) cause = error;
    }
  }
  const why = isAbsent(cause) ? 'is not installed' : 'cannot be loaded';
  throw onnxError(`the runtime \`${RUNTIME}\` ${why}`, { repair: repairOf(folder), cause });
}

/** Its install script fetches a GPU library from elsewhere; what the processor needs is in the package. */
function repairOf(folder: string): string {
  return `run \`npm install --ignore-scripts --prefix ${JSON.stringify(folder)} ${RUNTIME}\``;
}

function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'MODULE_NOT_FOUND' &&
    error.message.includes(`'${RUNTIME}'`)
  );
}
