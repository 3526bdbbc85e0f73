import type { Statement } from 'better-sqlite3';
import type { Connection } from './driver.ts';

/** Prepares each statement at its first use and keeps it. */
export class Statements {
  readonly #db: Connection;
  readonly #prepared: Map<string, Statement<unknown[], unknown>> = new Map();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** One row, or `undefined`. The caller names the row's shape, which the SQL beside it fixes. */
  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** The first column of every row; much cheaper than rows where there are many. */
  column<Value>(sql: string, ...values: readonly unknown[]): Value[] {
    return this.#prepare(sql, { pluck: true }).all(...values) as Value[];
  }

  /** Rows changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#prepare(sql).run(...values).changes;
  }

  /** Row id of the row inserted. */
  insert(sql: string, ...values: readonly unknown[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  #prepare(sql: string, { pluck = false } = {}): Statement<unknown[], unknown> {
    const key = pluck ? `column:${sql}` : sql;
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    const statement = this.#db.prepare<unknown[], unknown>(sql);
    if (pluck) statement.pluck();
    this.#prepared.set(key, statement);
    return statement;
  }
}
