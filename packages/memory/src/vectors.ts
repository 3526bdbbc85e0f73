/** Product of two vectors; of vectors of length one, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The vector stretched to length one; of zeros it stays as it is. */
export function toUnitLength(vector: Float32Array): Float32Array {
  const squares = dot(vector, vector);
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  return vector.map((value) => value * factor);
}
