import { expect, it } from 'vitest';
import { MemoryError, toRpcError } from '../../src/errors.ts';
import { DriverWarning } from '../../src/faces/driver-warning.ts';

const missing = new MemoryError('DRIVER_MISSING', 'use another Node');

it('writes one line about a missing driver, and passes each error on', async () => {
  const lines: string[] = [];
  const call = new DriverWarning((line) => lines.push(line)).around(() =>
    Promise.reject(toRpcError(missing)),
  );
  for (let i = 0; i < 3; i += 1) {
    await expect(call('memory.search', {})).rejects.toMatchObject({
      rpcCode: -32603,
      data: { code: 'DRIVER_MISSING' },
    });
  }
  expect(lines).toEqual(['tincan-memory: use another Node\n']);
});

it('says nothing about other errors, or where there is a driver', async () => {
  const lines: string[] = [];
  const warning = new DriverWarning((line) => lines.push(line));
  const call = warning.around(() => Promise.reject(toRpcError(new MemoryError('STORE_FULL', 'x'))));
  await expect(call('memory.search', {})).rejects.toThrow();
  await warning.check();
  expect(lines).toEqual([]);
});
