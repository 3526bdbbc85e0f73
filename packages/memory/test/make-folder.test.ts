import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../src/make-folder.ts';
import { makeTempFolder } from './store/temp-folder.ts';

const folder = makeTempFolder();

describe('making a folder', () => {
  it('makes those above it too, for their owner alone', async () => {
    await makeFolder(join(folder, 'a', 'b', 'c'));
    for (const path of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
    }
  });

  it('leaves one that is there as it is', async () => {
    const path = join(folder, 'there');
    mkdirSync(path, { mode: 0o755 });
    await makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it('can be done by several at once', async () => {
    const path = join(folder, 'x', 'y', 'z');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)));
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('fails where a file is in the way', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(process.platform === 'linux')('fails where no folder can ever be made', async () => {
    await expect(makeFolder('/proc/none/data')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
