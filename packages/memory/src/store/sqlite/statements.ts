import type { Connection, RowShape, SqliteValue, Statement } from './driver.ts';

/**
 * Prepares each statement at its first use and keeps it. A bound `LIMIT ?` makes SQLite prepare its statement
 * anew each time, which costs more than a short look-up: where it matters the number is part of the text.
 */
export class Statements {
  readonly #db: Connection;
  readonly #prepared: Readonly<Record<RowShape, Map<string, Statement>>> = {
    object: new Map(),
    list: new Map(),
    column: new Map(),
  };

  constructor(db: Connection) {
    this.#db = db;
  }

  /** One row, or `undefined`. The caller names the row's shape, which the SQL beside it fixes. */
  get<Row>(sql: string, ...values: readonly SqliteValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly SqliteValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** One row as the list of its columns, at half the cost of an object. */
  list<Row extends readonly unknown[]>(
    sql: string,
    ...values: readonly SqliteValue[]
  ): Row | undefined {
    return this.#prepare(sql, 'list').get(...values) as Row | undefined;
  }

  /** The first column of every row; much cheaper than rows where there are many. */
  column<Value>(sql: string, ...values: readonly SqliteValue[]): Value[] {
    return this.#prepare(sql, 'column').all(...values) as Value[];
  }

  /** Rows changed. */
  run(sql: string, ...values: readonly SqliteValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Row id of the row inserted. */
  insert(sql: string, ...values: readonly SqliteValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  #prepare(sql: string, shape: RowShape = 'object'): Statement {
    const prepared = this.#prepared[shape];
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql, shape);
    prepared.set(sql, statement);
    return statement;
  }
}
