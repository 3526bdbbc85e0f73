import { MemoryError } from '../../errors.ts';
import { sqliteCode } from './driver/sqlite-code.ts';

/** Says in the store's words what the engine's error means for the user. */
export function toStoreError(thrown: unknown, path: string): unknown {
  if (thrown instanceof MemoryError) return thrown;
  const code = sqliteCode(thrown);
  if (code === undefined) return thrown;
  const options = { cause: thrown, data: { path, sqlite: code } };
  if (isCorruption(thrown)) {
    return new MemoryError(
      'STORE_CORRUPT',
      `the store at \`${path}\` cannot be read as a database; it was left as it is`,
      options,
    );
  }
  if (code.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_WRITE') {
    return new MemoryError('STORE_FULL', `no room left to write the store at \`${path}\``, options);
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_PERM')) {
    return new MemoryError('STORE_READ_ONLY', `the store at \`${path}\` is read-only`, options);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new MemoryError(
      'STORE_BUSY',
      `the store at \`${path}\` stayed locked too long`,
      options,
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return new MemoryError('STORE', `the store at \`${path}\` cannot be opened`, options);
  }
  return new MemoryError('STORE', `the store at \`${path}\` failed with \`${code}\``, options);
}

/** Reading needs write access too: readers leave their marks in files beside the store. */
export function readOnly(path: string, cause: unknown): MemoryError {
  return new MemoryError(
    'STORE_READ_ONLY',
    `the store at \`${path}\` is in a location that this user cannot write; SQLite needs write access even to read (WAL mode). Make its disk and folder writable, or set \`store.path\` or \`TINCAN_HOME\` to another place`,
    { cause, data: { path } },
  );
}

/** Whether the file is not a database, or no longer a sound one. */
export function isCorruption(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB');
}
