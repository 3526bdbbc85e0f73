import type { Statements } from './statements.ts';

/** What is wrong with a store, found by reading all of it; nothing when it is sound. */
export function findProblems(sql: Statements): string[] {
  const found = sql
    .all<{ integrity_check: string }>('PRAGMA integrity_check')
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok');
  const words = sql.get<{ n: number }>('SELECT count(*) AS n FROM note_text')?.n;
  const notes = sql.get<{ n: number }>('SELECT count(*) AS n FROM note')?.n;
  if (words !== notes) found.push(`the text index holds ${words} notes, the store ${notes}`);
  return found;
}
