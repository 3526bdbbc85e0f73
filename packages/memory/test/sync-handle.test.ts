import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { syncHandle } from '../src/sync-handle.ts';

const folder = mkdtempSync(join(tmpdir(), 'tincan-sync-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('needs no more of a file handle than its number, as the handles of Yarn have no `sync`', async () => {
  const file = await open(join(folder, 'file'), 'wx');
  await file.writeFile('x');
  await expect(syncHandle({ fd: file.fd })).resolves.toBeUndefined();
  await file.close();
  await expect(syncHandle({ fd: 2 ** 30 })).rejects.toMatchObject({ code: 'EBADF' });
});
