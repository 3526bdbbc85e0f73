import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { syncHandle } from '../src/sync-handle.ts';

const folder = mkdtempSync(join(tmpdir(), 'tincan-sync-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a handle of Yarn does. */
const sync = (): Promise<void> => Promise.reject(new Error('Method not implemented.'));

it('needs no more of a handle of Yarn than its number', async () => {
  const file = await open(join(folder, 'file'), 'wx');
  await file.writeFile('x');
  await expect(syncHandle({ fd: file.fd, sync }, true)).resolves.toBeUndefined();
  await file.close();
  await expect(syncHandle({ fd: 2 ** 30, sync }, true)).rejects.toMatchObject({ code: 'EBADF' });
});

it('asks a handle of Node itself', async () => {
  await expect(syncHandle({ fd: 2 ** 30, sync })).rejects.toThrow('Method not implemented.');
});
