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

  /** Rows changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#prepare(sql).run(...values).changes;
  }

  /** Row id of the row inserted. */
  insert(sql: string, ...values: readonly unknown[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  #prepare(sql: string): Statement<unknown[], unknown> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare<unknown[], unknown>(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
