import { stat } from 'node:fs/promises';
import { MemoryError } from '../../errors.ts';
import { countContents, type StoreCounts } from './contents.ts';
import { type Connection, connect } from './driver.ts';
import { findProblems } from './problems.ts';
import { assertBackupSchema } from './schema.ts';
import { Statements } from './statements.ts';
import { isCorruption, toStoreError } from './store-error.ts';

/** What a copy of a store holds. */
export interface CopyContents extends StoreCounts {
  readonly bytes: number;
}

/** How a copy is checked. */
export interface CheckCopyOptions {
  /** The file that errors name, where the copy has a name for the moment only. */
  readonly name: string;
  /** How the copy is left: as one file that can be read anywhere, or ready to be a store. */
  readonly journal: 'DELETE' | 'WAL';
}

/** Reads a copy of a store from end to end and refuses one that is not whole; its `-wal` goes into it. */
export async function checkCopy(
  path: string,
  { name, journal }: CheckCopyOptions,
): Promise<CopyContents> {
  if ((await stat(path)).size === 0) throw damaged(name, 'it is empty (0 bytes)');
  const db = await connect(path);
  try {
    assertBackupSchema(db, name);
    db.pragma('journal_mode = DELETE');
    await assertWhole(db, path, name);
    const sql = new Statements(db);
    const problems = findProblems(sql);
    if (problems.length > 0) throw damaged(name, problems.slice(0, 3).join('; '));
    const counts = countContents(sql);
    if (journal === 'WAL') db.pragma('journal_mode = WAL');
    db.close();
    return { ...counts, bytes: (await stat(path)).size };
  } catch (error) {
    if (!isCorruption(error)) throw toStoreError(error, name);
    const reason = error instanceof Error ? error.message : String(error);
    throw damaged(name, reason, error);
  } finally {
    if (db.open) db.close();
  }
}

/** SQLite reads the missing bytes of a last page as zeros, without a word. */
async function assertWhole(db: Connection, path: string, name: string): Promise<void> {
  const pages = Number(db.pragma('page_count'));
  const expected = pages * Number(db.pragma('page_size'));
  const { size } = await stat(path);
  if (size < expected) throw damaged(name, `it has ${size} of ${expected} bytes`);
}

function damaged(name: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'STORE_CORRUPT',
    `expected a whole copy of a store in \`${name}\`, but ${reason}; nothing was replaced`,
    { cause, data: { path: name } },
  );
}
