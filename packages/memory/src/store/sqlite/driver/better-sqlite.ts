import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Connection, Driver, RowShape, SqliteValue, Statement } from '../driver.ts';

const PACKAGE = 'better-sqlite3';

/** The part of the package that is used here; it is an optional peer and has no types here. */
type Native = new (path: string, options: { readonly timeout: number }) => Database;

interface Database {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): BetterStatement;
  exec(sql: string): void;
  pragma(text: string, options: { readonly simple: true }): unknown;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    compute: (value: SqliteValue) => SqliteValue,
  ): void;
  backup(path: string): Promise<unknown>;
  close(): void;
}

interface BetterStatement extends Statement {
  /** Rows as lists instead of objects. */
  raw(): void;
  /** First columns instead of rows. */
  pluck(): void;
}

/** From version 13 on the package is compiled for this Node-API; where Node has an older one, opening crashes. */
const NODE_API = 10;
const FIRST_WITH_NODE_API = 13;

/** The package that was installed for a Node without a safe SQLite. Throws where there is none that works. */
export function loadBetterSqlite(): Driver {
  const require = createRequire(import.meta.url);
  const manifest = findManifest(require);
  const { version } = require(manifest) as { readonly version: string };
  assertLoadable(version, process.versions['napi'] ?? '0');
  const Native = require(dirname(manifest)) as Native;
  const open = (path: string): Connection => new BetterConnection(new Native(path, { timeout: 0 }));
  // The native part is loaded by the first connection.
  const db = open(':memory:');
  const sqliteVersion = String(db.prepare('SELECT sqlite_version()', 'column').get());
  db.close();
  return { name: PACKAGE, sqliteVersion, open };
}

/**
 * The package's manifest. `require` is asked only once it is there: Node 20 remembers what it did not find, and would
 * not load a package that is installed while the process runs.
 */
export function findManifest(require: NodeJS.Require): string {
  const name = `${PACKAGE}/package.json`;
  const isPresent = require.resolve.paths(name)?.some((folder) => existsSync(join(folder, name)));
  if (isPresent !== true && process.versions['pnp'] === undefined) {
    const error = new Error(`Cannot find module '${name}'`);
    throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
  }
  // By its real path: Node 20 sometimes takes the link that pnpm makes for a folder, and misses what lies beside it.
  return realpathSync.native(require.resolve(name));
}

/** Refuses a version of the package that would crash this Node. */
export function assertLoadable(version: string, nodeApi: string): void {
  const major = Number.parseInt(version, 10);
  if (major < FIRST_WITH_NODE_API || Number(nodeApi) >= NODE_API) return;
  throw new Error(
    `${PACKAGE} ${version} needs Node-API ${NODE_API} (Node.js 22.14), this Node.js has ${nodeApi}`,
  );
}

/** The version of the package that works in a Node with this Node-API. */
export function suitableMajor(nodeApi: string): number {
  return Number(nodeApi) >= NODE_API ? FIRST_WITH_NODE_API : FIRST_WITH_NODE_API - 1;
}

class BetterConnection implements Connection {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get open(): boolean {
    return this.#db.open;
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  prepare(sql: string, shape: RowShape = 'object'): Statement {
    const statement = this.#db.prepare(sql);
    if (shape === 'list') statement.raw();
    if (shape === 'column') statement.pluck();
    return statement;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  pragma(text: string): unknown {
    return this.#db.pragma(text, { simple: true });
  }

  defineFunction(name: string, compute: (value: SqliteValue) => SqliteValue): void {
    this.#db.function(name, { deterministic: true }, compute);
  }

  async backup(path: string): Promise<void> {
    await this.#db.backup(path);
  }

  close(): void {
    this.#db.close();
  }
}
