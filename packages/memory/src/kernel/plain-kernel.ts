import { CODE_ALIGNMENT, type ScanKernel, type ScanRows } from './scan-kernel.ts';

/** The scan without SIMD: slower, the same numbers, for engines that have none. */
export function createPlainKernel(): ScanKernel {
  let buffer = new ArrayBuffer(65_536);
  let used = 0;

  function allocate(bytes: number): number {
    const address = used;
    used += Math.ceil(bytes / CODE_ALIGNMENT) * CODE_ALIGNMENT;
    if (used > buffer.byteLength) {
      const grown = new ArrayBuffer(Math.max(used, buffer.byteLength * 2));
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
    }
    return address;
  }

  function scan({ codes, scales, count, stride }: ScanRows, query: number, out: number): void {
    const scale = new Float32Array(buffer, scales, count);
    const target = new Float32Array(buffer, out, count);
    const asked = new Int8Array(buffer, query, stride);
    const rows = new Int8Array(buffer, codes, count * stride);
    for (let row = 0, at = 0; row < count; row += 1) {
      let sum = 0;
      for (let i = 0; i < stride; i += 1, at += 1) sum += (rows[at] ?? 0) * (asked[i] ?? 0);
      target[row] = Math.fround(sum) * (scale[row] ?? 0);
    }
  }

  return {
    kind: 'plain',
    get buffer() {
      return buffer;
    },
    allocate,
    scan,
  };
}
