import type { Connection, Driver, RowShape, SqliteValue, Statement } from '../driver.ts';
import { type ResultColumn, selectWholeText, WholeTextStatement } from './whole-text.ts';

/** The part of `node:sqlite` that is used here: Node 20, whose types are in use, does not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => Database;
  backup(db: Database, path: string): Promise<number>;
}

interface Database {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    compute: (value: SqliteValue) => SqliteValue,
  ): void;
  close(): void;
}

interface NodeStatement extends Statement {
  columns(): readonly ResultColumn[];
  /** Integers as `bigint`, those that `run` returns included. */
  setReadBigInts(isOn: boolean): void;
  /** Rows as lists instead of objects. */
  setReturnArrays(isOn: boolean): void;
}

/** Node's own SQLite, or `undefined` where this Node has none. */
export function loadNodeSqlite(): Driver | undefined {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite')) as
    | NodeSqlite
    | undefined;
  if (sqlite === undefined) return undefined;
  const connect = (path: string, isCutting: boolean): Connection =>
    new NodeConnection(sqlite, new sqlite.DatabaseSync(path, { timeout: 0 }), isCutting);
  const db = connect(':memory:', false);
  const sqliteVersion = String(db.prepare('SELECT sqlite_version()', 'column').get());
  const isCutting = db.prepare("SELECT 'a' || char(0) || 'b'", 'column').get() !== 'a\0b';
  db.close();
  return { name: 'node:sqlite', sqliteVersion, open: (path) => connect(path, isCutting) };
}

class NodeConnection implements Connection {
  readonly #sqlite: NodeSqlite;
  readonly #db: Database;
  /** Whether this Node cuts texts at a NUL character. */
  readonly #isCutting: boolean;

  constructor(sqlite: NodeSqlite, db: Database, isCutting: boolean) {
    this.#sqlite = sqlite;
    this.#db = db;
    this.#isCutting = isCutting;
  }

  get open(): boolean {
    return this.#db.isOpen;
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  prepare(sql: string, shape: RowShape = 'object'): Statement {
    const plain = this.#db.prepare(sql);
    const columns = plain.columns();
    if (columns.length === 0) {
      // The text index leaves row ids behind that are no safe integers: Node 26 throws where `run` returns one.
      plain.setReadBigInts(true);
      return plain;
    }
    const rewritten = this.#isCutting ? selectWholeText(sql, columns) : undefined;
    const rows = rewritten === undefined ? plain : this.#db.prepare(rewritten);
    if (shape !== 'object') rows.setReturnArrays(true);
    const whole = rewritten === undefined ? rows : new WholeTextStatement(rows, columns, shape);
    return shape === 'column' ? new ColumnStatement(whole) : whole;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  pragma(text: string): unknown {
    return this.prepare(`PRAGMA ${text}`, 'column').get();
  }

  defineFunction(name: string, compute: (value: SqliteValue) => SqliteValue): void {
    this.#db.function(name, { deterministic: true }, compute);
  }

  async backup(path: string): Promise<void> {
    await this.#sqlite.backup(this.#db, path);
  }

  close(): void {
    this.#db.close();
  }
}

/** Returns the first column of each row. */
class ColumnStatement implements Statement {
  readonly #rows: Statement;

  constructor(rows: Statement) {
    this.#rows = rows;
  }

  get(...values: readonly SqliteValue[]): unknown {
    return (this.#rows.get(...values) as readonly unknown[] | undefined)?.[0];
  }

  all(...values: readonly SqliteValue[]): unknown[] {
    const rows = this.#rows.all(...values) as (readonly unknown[])[];
    return rows.map((row) => row[0]);
  }

  run(...values: readonly SqliteValue[]): ReturnType<Statement['run']> {
    return this.#rows.run(...values);
  }
}

/** Node 22 warns on stderr when its SQLite is loaded, although what is used of it here is stable. */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    const isExpected = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!isExpected) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = filtered;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
