import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import wabtFactory from 'wabt';
import { KERNEL_BASE64 } from '../../src/kernel/kernel-bytes.ts';
import { createPlainKernel } from '../../src/kernel/plain-kernel.ts';
import { quantize } from '../../src/kernel/quantize.ts';
import { createScanKernel } from '../../src/kernel/simd-kernel.ts';

it('runs the module that its readable source compiles to', async () => {
  const source = new URL('../../src/kernel/kernel.wat', import.meta.url);
  const wabt = await wabtFactory();
  const parsed = wabt.parseWat('kernel.wat', await readFile(source, 'utf8'), { simd: true });
  const { buffer } = parsed.toBinary({ write_debug_names: false });
  expect(KERNEL_BASE64).toBe(Buffer.from(buffer).toString('base64'));
});

it('uses SIMD where the engine has it', () => {
  expect(createScanKernel().kind).toBe('simd');
});

it('gives the same numbers with and without SIMD', () => {
  const code = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(code, { minLength: 1, maxLength: 9 }), code, (rows, query) => {
      const results = [createScanKernel(), createPlainKernel()].map((kernel) => {
        const addresses = {
          query: kernel.allocate(32),
          codes: kernel.allocate(32 * rows.length),
          scales: kernel.allocate(4 * rows.length),
          out: kernel.allocate(4 * rows.length),
        };
        const bytes = new Int8Array(kernel.buffer);
        bytes.set(query, addresses.query);
        for (const [i, row] of rows.entries()) bytes.set(row, addresses.codes + i * 32);
        new Float32Array(kernel.buffer, addresses.scales, rows.length).fill(0.5);
        const { codes, scales, out } = addresses;
        kernel.scan({ codes, scales, count: rows.length, stride: 32 }, addresses.query, out);
        return [...new Float32Array(kernel.buffer, out, rows.length)];
      });
      expect(results[0]).toEqual(results[1]);
      expect(results[0]).toEqual(
        rows.map((row) => row.reduce((sum, v, i) => sum + v * (query[i] ?? 0), 0) * 0.5),
      );
    }),
  );
});

it('rounds a vector to eight bits and knows the way back', () => {
  const { scale, values } = quantize(Float32Array.of(0.5, -1, 0, 0.25), 16);
  expect([...values.slice(0, 4)].map((v) => v * scale)).toEqual(
    [0.5, -1, 0, 0.25].map((v) => expect.closeTo(v, 2)),
  );
  expect(values).toHaveLength(16);
  expect(quantize(new Float32Array(4), 16).scale).toBe(0);
});
