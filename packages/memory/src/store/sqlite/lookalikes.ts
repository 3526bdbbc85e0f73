import { comparedWords, overlapOf } from '../../search/overlap.ts';
import { searchableNote } from '../../search/searchable.ts';
import { dot } from '../../vectors.ts';
import type { Note } from '../note.ts';
import type { Lookalike, SpaceVector } from '../store.ts';
import { type NoteRow, noteFromRow } from './note-row.ts';
import { findProject } from './projects.ts';
import { sketchTokens, tokenQuery } from './scope.ts';
import type { Statements } from './statements.ts';
import { readVector } from './vectors.ts';

/** The newest notes taken of those that share one part of the sketch. */
const MAX_SHARING = 16;

/** A part that no more notes than this share is enough to compare them; of others it takes two. */
const FEW_SHARING = 4;

/** Notes read and compared at most: reading one costs more than all the lists. */
const MAX_COMPARED = 3;

/**
 * Other notes of the project whose words may be nearly the same. Bounded however large the store is: a few
 * short lists of the text index are read, and of the vectors only those of the notes that were found.
 */
export function findLookalikes(
  sql: Statements,
  note: Note,
  vector: SpaceVector | undefined,
): Lookalike[] {
  const project = findProject(sql, note.projectId);
  if (project === undefined) return [];
  const words = comparedWords(searchableNote(note));
  const tokens = sketchTokens(project.id, words);
  const rows = mostSharing(sql, tokens).flatMap(
    (seq) => sql.get<NoteRow>('SELECT * FROM note WHERE seq = ? AND hidden = 0', seq) ?? [],
  );
  return rows
    .filter(({ id }) => id !== note.id)
    .map((row) => {
      const stored = vector && readVector(sql, vector.spaceId, row.seq);
      return {
        id: row.id,
        overlap: overlapOf(words, comparedWords(searchableNote(noteFromRow(row)))),
        cosine: stored && dot(vector.vector, stored),
      };
    });
}

/** Places of the notes that share enough to be worth reading, and one more for the note itself. */
function mostSharing(sql: Statements, tokens: readonly string[]): number[] {
  const shared = new Map<number, number>();
  for (const token of tokens) {
    const found = sql.column<number>(
      `SELECT rowid FROM note_text WHERE note_text MATCH ? ORDER BY rowid DESC LIMIT ${MAX_SHARING}`,
      tokenQuery(token),
    );
    const weight = found.length <= FEW_SHARING ? 2 : 1;
    for (const seq of found) shared.set(seq, (shared.get(seq) ?? 0) + weight);
  }
  return [...shared]
    .filter(([, weight]) => weight >= 2)
    .sort(([a, x], [b, y]) => y - x || b - a)
    .slice(0, MAX_COMPARED + 1)
    .map(([seq]) => seq);
}
