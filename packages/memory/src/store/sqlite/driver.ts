import type Database from 'better-sqlite3';
import { MemoryError } from '../../errors.ts';

/** Repairs an installation whose native part was never built. */
const REPAIR_COMMAND = 'npm rebuild better-sqlite3 --foreground-scripts';

/** Before 3.51.3 two processes that write and checkpoint at one moment can lose committed pages. */
const SAFE_WAL_VERSION = [3, 51, 3] as const;

/** An open connection. */
export type Connection = Database.Database;

/**
 * Opens a database file through the native driver, which is loaded here and nowhere else. A lock of another
 * connection is an error at once: waiting for it here would stop the event loop.
 */
export async function connect(path: string): Promise<Connection> {
  const open = await loadDriver();
  return open(path);
}

/** Copies an open database into a file through SQLite's own backup. */
export async function copyDatabase(db: Connection, path: string): Promise<void> {
  await db.backup(path);
}

async function loadDriver(): Promise<(path: string) => Connection> {
  try {
    const { default: Driver } = await import('better-sqlite3');
    return (path) => new Driver(path, { timeout: 0 });
  } catch (cause) {
    throw driverMissing(cause);
  }
}

/** The binding is looked for at the first `new`, so both places end here. */
export function driverMissing(cause: unknown): MemoryError {
  return new MemoryError(
    'DRIVER_MISSING',
    `the SQLite driver is not built for this Node.js (${process.version}): run \`${REPAIR_COMMAND}\` where it is installed`,
    { cause, data: { repair: REPAIR_COMMAND } },
  );
}

/** Whether an error says that the native binding could not be found or loaded. */
export function isDriverMissing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown ? thrown.code : undefined;
  return (
    code === 'ERR_DLOPEN_FAILED' ||
    code === 'MODULE_NOT_FOUND' ||
    thrown.message.startsWith('Could not locate the bindings file')
  );
}

/** Refuses a SQLite that is not safe with several processes on one write-ahead log. */
export function assertSafeVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, floor] of SAFE_WAL_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part > floor) return;
    if (part === floor) continue;
    throw new MemoryError(
      'STORE_UNSAFE',
      `expected SQLite ${SAFE_WAL_VERSION.join('.')} or newer, got \`${version}\`: older ones can lose writes of several processes`,
    );
  }
}
