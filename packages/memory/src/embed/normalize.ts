import { MemoryError } from '../errors.ts';
import { toUnitLength } from '../vectors.ts';

/** A provider's numbers as a vector of length one; anything else is the provider's fault. */
export function unitVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    throw new MemoryError('PROVIDER', 'expected the provider to answer with vectors of numbers', {
      data: { status: null, retryable: false },
    });
  }
  return toUnitLength(Float32Array.from(numbers as readonly number[]));
}
