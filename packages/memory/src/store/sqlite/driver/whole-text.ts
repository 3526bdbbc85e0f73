import type { RowShape, SqliteValue, Statement } from '../driver.ts';

/** A column of a statement; `type` is what its table declares. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string | null;
}

/**
 * Some releases of Node, all of 22 among them, cut a text they read at its first NUL character. There a statement
 * is rewritten so that such a text arrives as a blob. Returns `undefined` where no column holds text.
 */
export function selectWholeText(sql: string, columns: readonly ResultColumn[]): string | undefined {
  if (!columns.some(isText)) return undefined;
  const names = columns.map((_, index) => `c${index}`);
  const results = columns.map((column, index) => {
    const name = `c${index}`;
    const whole = `iif(instr(${name}, char(0)) > 0, CAST(${name} AS BLOB), ${name})`;
    return `${isText(column) ? whole : name} AS "${column.name.replaceAll('"', '""')}"`;
  });
  return `WITH read(${names.join()}) AS (${sql}) SELECT ${results.join()} FROM read`;
}

/** Makes texts again of those that arrived as blobs. */
export class WholeTextStatement implements Statement {
  readonly #statement: Statement;
  readonly #keys: readonly (string | number)[];

  constructor(statement: Statement, columns: readonly ResultColumn[], shape: RowShape) {
    this.#statement = statement;
    this.#keys = columns.flatMap((column, index) => {
      if (!isText(column)) return [];
      return [shape === 'object' ? column.name : index];
    });
  }

  get(...values: readonly SqliteValue[]): unknown {
    return this.#restore(this.#statement.get(...values));
  }

  all(...values: readonly SqliteValue[]): unknown[] {
    const rows = this.#statement.all(...values);
    for (const row of rows) this.#restore(row);
    return rows;
  }

  run(...values: readonly SqliteValue[]): ReturnType<Statement['run']> {
    return this.#statement.run(...values);
  }

  #restore(row: unknown): unknown {
    if (row === undefined) return undefined;
    const fields = row as Record<string | number, unknown>;
    for (const key of this.#keys) {
      const value = fields[key];
      if (value instanceof Uint8Array) fields[key] = Buffer.from(value).toString();
    }
    return row;
  }
}

function isText({ type }: ResultColumn): boolean {
  return type === 'TEXT';
}
