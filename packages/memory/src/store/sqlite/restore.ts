import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MemoryError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { SIDE_FILES } from './backup.ts';
import { type CopyContents, checkCopy } from './check-copy.ts';
import { syncFile } from './place-file.ts';
import { type KeptStore, replaceStore } from './replace-store.ts';
import { realPathOf, statFile, statIfPresent } from './store-file.ts';
import { identify } from './store-place.ts';

/** Which store is replaced, and by what. */
export interface RestoreOptions {
  /** The store. */
  readonly path: string;
  /** The backup. */
  readonly file: string;
}

/** What was restored, and where the store that was there is now. */
export interface RestoredStore extends CopyContents, KeptStore {}

/** Puts a checked copy of a backup in the place of a store that nobody has open. The backup is only read. */
export async function restoreSqliteStore({ path, file }: RestoreOptions): Promise<RestoredStore> {
  const target = await realPathOf(path);
  await assertBackup(target, file);
  await makeFolder(dirname(target));
  const draft = `${target}.${randomUUID()}.restoring`;
  try {
    await copyBackup(file, draft);
    const contents = await checkCopy(draft, { name: file, journal: 'WAL' });
    await syncFile(draft);
    return { ...contents, ...(await replaceStore(target, draft)) };
  } finally {
    for (const suffix of ['', ...SIDE_FILES]) await rm(`${draft}${suffix}`, { force: true });
  }
}

async function assertBackup(target: string, file: string): Promise<void> {
  const found = await statIfPresent(file);
  if (found === undefined) throw new MemoryError('STORE', `there is no file \`${file}\``);
  if (!found.isFile())
    throw new MemoryError('STORE', `expected a backup, \`${file}\` is not a file`);
  // Reading a FIFO would wait for its writer.
  await statFile(`${file}-wal`);
  if (identify(file) === identify(target)) {
    throw new MemoryError('STORE', `\`${file}\` is the store itself: name a backup of it`);
  }
}

/** A store that was copied by hand may have a log beside it, which holds its newest notes. */
async function copyBackup(file: string, draft: string): Promise<void> {
  const files = [file, `${file}-wal`];
  const before = await statesOf(files);
  for (const [index, suffix] of ['', '-wal'].entries()) {
    if (before[index] === undefined) continue;
    const target = createWriteStream(`${draft}${suffix}`, { flags: 'wx', mode: 0o600 });
    await pipeline(createReadStream(`${file}${suffix}`), target);
  }
  const after = await statesOf(files);
  if (before.join() === after.join()) return;
  throw new MemoryError(
    'STORE_BUSY',
    `\`${file}\` changed while it was read, so it is a store in use: save it with \`tincan-memory backup\` first`,
  );
}

async function statesOf(files: readonly string[]): Promise<(string | undefined)[]> {
  const found = await Promise.all(files.map(statIfPresent));
  return found.map((each) => each && `${each.ino} ${each.size} ${each.mtimeMs}`);
}
