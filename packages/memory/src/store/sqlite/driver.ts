import { loadBetterSqlite } from './driver/better-sqlite.ts';
import { driverMissing } from './driver/driver-missing.ts';
import { loadNodeSqlite } from './driver/node-sqlite.ts';
import { isSafeVersion } from './driver/safe-version.ts';

/** What a column can hold and a parameter can be. Blobs come back as `Uint8Array`. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** How a statement returns its rows: as objects, as lists of their columns, or as their first column alone. */
export type RowShape = 'object' | 'list' | 'column';

/** A prepared statement. */
export interface Statement {
  /** The first row, or `undefined`. */
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): unknown[];
  run(...values: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
}

/** An open database: all that the store needs of a driver. */
export interface Connection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string, shape?: RowShape): Statement;
  exec(sql: string): void;
  /** Runs `PRAGMA <text>` and returns the first column of its first row. */
  pragma(text: string): unknown;
  /** Adds a deterministic SQL function of one argument. */
  defineFunction(name: string, compute: (value: SqliteValue) => SqliteValue): void;
  /** Copies the database into a file, which is a database of its own once this resolves. */
  backup(path: string): Promise<void>;
  close(): void;
}

/** A way to SQLite. */
export interface Driver {
  readonly name: 'node:sqlite' | 'better-sqlite3';
  readonly sqliteVersion: string;
  /** A lock of another connection is an error at once: waiting for it would stop the event loop. */
  open(path: string): Connection;
}

let loaded: Driver | undefined;

/**
 * The driver of this process: Node's own SQLite where it is safe, otherwise `better-sqlite3` where it is installed.
 * A failure is not kept, so that a driver installed meanwhile is found.
 */
export function loadDriver(): Driver {
  loaded ??= chooseDriver();
  return loaded;
}

/** Opens a database file. */
export function connect(path: string): Connection {
  return loadDriver().open(path);
}

function chooseDriver(): Driver {
  const own = loadNodeSqlite();
  if (own !== undefined && isSafeVersion(own.sqliteVersion)) return own;
  let installed: Driver;
  try {
    installed = loadBetterSqlite();
  } catch (cause) {
    throw driverMissing({ own: own?.sqliteVersion, cause });
  }
  if (isSafeVersion(installed.sqliteVersion)) return installed;
  throw driverMissing({ own: own?.sqliteVersion, installed: installed.sqliteVersion });
}
