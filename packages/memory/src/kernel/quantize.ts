/** A vector as whole numbers in -127..127 and the factor that brings it back. */
export interface Code {
  readonly scale: number;
  readonly values: Int8Array;
}

/** Rounds a vector to eight bits a number, `stride` numbers long, padded with zeros. */
export function quantize(vector: Float32Array, stride: number): Code {
  let peak = 0;
  for (const value of vector) peak = Math.max(peak, Math.abs(value));
  const values = new Int8Array(stride);
  if (peak === 0) return { scale: 0, values };
  const factor = 127 / peak;
  for (const [index, value] of vector.entries()) values[index] = Math.round(value * factor);
  return { scale: peak / 127, values };
}
