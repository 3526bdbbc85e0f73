/** A row's code takes a multiple of this many bytes. */
export const CODE_ALIGNMENT = 16;

/**
 * Linear memory with one hot loop over it. Addresses are byte offsets, so that the SIMD
 * and the plain implementation are fed alike.
 */
export interface ScanKernel {
  readonly kind: 'simd' | 'plain';
  /** Valid until the next `allocate`. */
  readonly buffer: ArrayBuffer;
  /** Address of `bytes` fresh zeroed bytes, aligned for a code. */
  allocate(bytes: number): number;
  scan(rows: ScanRows, query: number, out: number): void;
}

/** A run of rows laid out one after the other. */
export interface ScanRows {
  readonly codes: number;
  readonly scales: number;
  readonly count: number;
  readonly stride: number;
}

/** Bytes a code of `dim` numbers takes. */
export function codeStride(dim: number): number {
  return Math.ceil(dim / CODE_ALIGNMENT) * CODE_ALIGNMENT;
}
