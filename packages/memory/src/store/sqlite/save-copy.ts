import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../make-folder.ts';
import type { Connection } from './driver.ts';
import { placeNew } from './place-file.ts';

/**
 * Copies an open database to a path and returns where the copy is. A file that is there is taken for the
 * copy only if it is the same, byte for byte, as when another process was first; otherwise a number is added.
 */
export async function saveCopy(db: Connection, path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    await (await open(draft, 'wx', 0o600)).close();
    await db.backup(draft);
    const digest = await digestOf(draft);
    for (let number = 1; ; number += 1) {
      const copy = number === 1 ? path : `${path}-${number}`;
      if (await placeNew(draft, copy)) return copy;
      if ((await digestOf(copy)) === digest) return copy;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** `undefined` for something that cannot be read. */
async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
