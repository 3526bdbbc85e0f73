import { MemoryError } from '../errors.ts';

/** A provider's numbers as a vector of length one; anything else is the provider's fault. */
export function unitVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    throw new MemoryError('PROVIDER', 'expected the provider to answer with vectors of numbers', {
      data: { status: null, retryable: false },
    });
  }
  const vector = Float32Array.from(numbers as readonly number[]);
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
