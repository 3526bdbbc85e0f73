/** A vector as whole numbers in -127..127 and the factor that brings it back. */
export interface Code {
  readonly scale: number;
  readonly values: Int8Array;
}

/** Rounds a vector to eight bits a number, `stride` numbers long, padded with zeros. */
export function quantize(vector: Float32Array, stride: number): Code {
  let peak = 0;
  for (let i = 0; i < vector.length; i += 1) peak = Math.max(peak, Math.abs(vector[i] ?? 0));
  const values = new Int8Array(stride);
  if (peak === 0) return { scale: 0, values };
  const factor = 127 / peak;
  for (let i = 0; i < vector.length; i += 1) values[i] = Math.round((vector[i] ?? 0) * factor);
  return { scale: peak / 127, values };
}
