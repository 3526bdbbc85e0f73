import { toUnitLength } from '../../vectors.ts';
import type { OnnxTensor } from './runtime.ts';

/** A vector of length one from what a model says of a text: states of its tokens, or one for all of it. */
export function pool({ data, dims }: OnnxTensor, pooling: 'mean' | 'cls'): Float32Array {
  const dim = dims.at(-1) ?? 0;
  if (!(data instanceof Float32Array) || dim === 0) {
    throw new TypeError('expected the model to give float32 numbers');
  }
  const end = pooling === 'cls' ? dim : data.length;
  const vector = new Float32Array(dim);
  for (let i = 0; i < end; i++) vector[i % dim] = (vector[i % dim] ?? 0) + (data[i] ?? 0);
  return toUnitLength(vector);
}
