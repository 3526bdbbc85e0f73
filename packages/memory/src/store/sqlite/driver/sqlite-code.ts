/** SQLite's names of its primary result codes, by their number. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'ERROR',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  22: 'NOLFS',
  23: 'AUTH',
  25: 'RANGE',
  26: 'NOTADB',
};

/** The one extended code whose meaning for the user differs from that of its primary code. */
const IOERR_WRITE = 778;

/** SQLite's name of an error, as `SQLITE_BUSY`, whichever driver threw it; `undefined` for other errors. */
export function sqliteCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  const { code } = thrown;
  // better-sqlite3 names its errors so; node:sqlite gives the number in `errcode`.
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return code;
  if (code !== 'ERR_SQLITE_ERROR') return undefined;
  const number = 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : 1;
  if (number === IOERR_WRITE) return 'SQLITE_IOERR_WRITE';
  const name = `SQLITE_${NAMES[number & 0xff] ?? 'ERROR'}`;
  return number > 0xff ? `${name} (${number})` : name;
}
