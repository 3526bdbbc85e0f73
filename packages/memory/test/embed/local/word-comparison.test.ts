import { describe, expect, it } from 'vitest';
import { WordComparison } from '../../../src/embed/local/word-comparison.ts';
import { createPlainKernel } from '../../../src/kernel/plain-kernel.ts';
import { codeStride } from '../../../src/kernel/scan-kernel.ts';
import { createScanKernel } from '../../../src/kernel/simd-kernel.ts';

const stride = codeStride(3);
const rows = [
  [100, 0, 0],
  [60, 80, 0],
  [0, 0, 0],
];

describe.each([
  ['SIMD', createScanKernel],
  ['plain', createPlainKernel],
])('comparing words, %s', (_, createKernel) => {
  function compare(): WordComparison {
    const kernel = createKernel();
    const address = kernel.allocate(rows.length * stride);
    const comparison = new WordComparison({ kernel, address, pieces: rows.length, stride });
    for (const [i, row] of rows.entries()) {
      new Int8Array(kernel.buffer, address + i * stride, 3).set(row);
    }
    return comparison;
  }

  it('gives the cosines with every word that was asked for', () => {
    const comparison = compare();
    comparison.ask([Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)]);
    expect(comparison.cosines(0, 0.3)).toEqual(Float32Array.of(1, 0));
    const [first, second] = comparison.cosines(1, 0.3) ?? [];
    expect(first).toBeCloseTo(0.6, 5);
    expect(second).toBeCloseTo(0.8, 5);
  });

  it('gives nothing where no word is above the floor', () => {
    const comparison = compare();
    comparison.ask([Float32Array.of(0, 0, 1)]);
    expect(comparison.cosines(0, 0.3)).toBeUndefined();
    expect(comparison.cosines(2, 0)).toBeUndefined();
  });

  it('forgets the words of the question before', () => {
    const comparison = compare();
    comparison.ask([Float32Array.of(0, 1, 0), Float32Array.of(1, 0, 0)]);
    comparison.ask([Float32Array.of(1, 0, 0)]);
    expect(comparison.cosines(0, 0.3)).toEqual(Float32Array.of(1));
  });
});
