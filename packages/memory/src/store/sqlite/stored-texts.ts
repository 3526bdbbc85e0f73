import type { StoredText } from '../store.ts';
import type { Statements } from './statements.ts';

const PAGE = 500;

interface TextRow {
  readonly place: number;
  readonly id: string;
  readonly fields: string;
}

/** One query for each kind of row: its place, its id, and its texts as a JSON object. */
const QUERIES: readonly (readonly [StoredText['kind'], string])[] = [
  ['project', `SELECT id AS place, id, json_object('projectId', key) AS fields FROM project`],
  [
    'group',
    `SELECT rowid AS place, id, json_object('groupKey', group_key, 'title', title, 'description',
     description) AS fields FROM project_group`,
  ],
  ['value', `SELECT rowid AS place, id, json_object(key, json(value)) AS fields FROM global_value`],
  ['note', noteQuery('note')],
  ['version', noteQuery('note_version')],
];

function noteQuery(table: string): string {
  return `SELECT rowid AS place, id, json_object('groupId', group_id, 'title', title, 'text', text,
    'tags', json(tags), 'source', source, 'metadata', json(metadata)) AS fields FROM ${table}`;
}

/** Every row that holds text, a page at a time. */
export async function* storedTexts(
  sql: Statements,
  read: <T>(work: () => T) => Promise<T>,
): AsyncIterable<StoredText> {
  for (const [kind, query] of QUERIES) {
    let after = -1;
    while (true) {
      const from = after;
      const rows = await read(() =>
        sql.all<TextRow>(
          `SELECT * FROM (${query}) WHERE place > ? ORDER BY place LIMIT ${PAGE}`,
          from,
        ),
      );
      for (const { id, fields } of rows) {
        yield { kind, id: String(id), fields: JSON.parse(fields) as StoredText['fields'] };
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.place;
    }
  }
}
