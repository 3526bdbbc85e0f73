import { inverseFrequency } from '../../search/bm25.ts';
import { likelyRank } from '../../search/rank.ts';
import { TopNotes } from '../../search/top-notes.ts';
import type { NoteFilter } from '../store.ts';
import type { ProjectRow } from './projects.ts';
import { narrowTokens, scopeQuery, wordQuery } from './scope.ts';
import type { Statements } from './statements.ts';

/** List entries one question may read: common words beyond it rank notes but do not fetch them. */
const POSTINGS_BUDGET = 2_500;

/** A project with this share of the store is searched without naming it, and strangers are dropped. */
const DOMINANT_SHARE = 0.5;

/** Where notes are looked for, and how many. */
export interface SearchScope {
  readonly project: ProjectRow;
  readonly filter: NoteFilter;
  readonly limit: number;
  /** Of the whole store. */
  readonly noteCount: number;
  /** Whether the project has superseded notes. */
  readonly hasHidden: boolean;
}

/** The words of a question. */
export interface AskedTerms {
  readonly terms: readonly string[];
  /** How many notes of the project hold each. */
  readonly noteFrequency: readonly number[];
  /** How many notes of the store do: as long are the lists of the index. */
  readonly listLengths: readonly number[];
  /** How close a note's vector is, where there are vectors. */
  readonly deviationsOf: ((seq: number) => number) | undefined;
}

/** The notes that the words of a question speak for most, the best first as far as that is known here. */
export function notesByWords(sql: Statements, scope: SearchScope, asked: AskedTerms): number[] {
  const { project, filter, limit, noteCount } = scope;
  const words = affordable(asked, scope);
  if (words.length === 0) return [];
  const isDominant = project.notes >= noteCount * DOMINANT_SHARE;
  const isUnscoped = isDominant && narrowTokens(project.id, filter).length === 0;
  const hasStrangers = isUnscoped && project.notes < noteCount;
  // Few different numbers: each is a statement of its own.
  const wanted = 2 ** Math.ceil(Math.log2(hasStrangers ? limit * 2 : limit));
  const scoped = isUnscoped ? '' : `${scopeQuery(project.id, filter)} AND `;
  const list: ListNotes = (some, order) =>
    listNotes(sql, scope, { match: `${scoped}${wordQuery(some)}`, order });
  return best(words, { list, wanted, deviationsOf: asked.deviationsOf })
    .filter((seq) => !hasStrangers || isOfProject(sql, seq, project.id))
    .slice(0, limit);
}

interface Word {
  readonly word: string;
  /** Entries of its list. */
  readonly cost: number;
  /** What finding it says, as a share of what finding all words of the question says. */
  readonly share: number;
}

/** Lists the notes that hold any of some words. */
type ListNotes = (words: readonly string[], order?: string) => number[];

/** The rarest words first, as many as the budget allows, one at least. */
function affordable(
  { terms, noteFrequency, listLengths }: AskedTerms,
  { project }: SearchScope,
): readonly Word[] {
  const counts = { noteCount: project.notes, noteFrequency };
  const rarity = terms.map((_, index) => inverseFrequency(counts, index));
  const all = rarity.reduce((sum, each) => sum + each, 0);
  const known = terms
    .map((word, index) => ({
      word,
      cost: Math.min(listLengths[index] ?? 0, project.notes),
      share: (rarity[index] ?? 0) / all,
    }))
    .filter(({ cost }) => cost > 0)
    .sort((a, b) => a.cost - b.cost);
  let spent = 0;
  return known.filter(({ cost }, index) => {
    spent += cost;
    return index === 0 || spent <= POSTINGS_BUDGET;
  });
}

function best(
  words: readonly Word[],
  {
    list,
    wanted,
    deviationsOf,
  }: Pick<AskedTerms, 'deviationsOf'> & { readonly list: ListNotes; readonly wanted: number },
): number[] {
  const names = words.map(({ word }) => word);
  // Every other note holds the word: the newest of them are as good as any, and need no ranking.
  if ((words[0]?.cost ?? 0) > POSTINGS_BUDGET)
    return list(names, `note_text.rowid DESC LIMIT ${wanted}`);
  if (deviationsOf === undefined)
    return list(names, `bm25(note_text, 0, 1.5, 1, 1.5) LIMIT ${wanted}`);
  // Lists alone cost a third of what SQLite takes to rank them, and vectors tell equals apart better than lengths.
  const shares = new Map<number, number>();
  for (const { word, share } of words) {
    for (const seq of list([word])) shares.set(seq, (shares.get(seq) ?? 0) + share);
  }
  const top = new TopNotes(wanted);
  for (const [seq, share] of shares) {
    const rank = likelyRank(share, deviationsOf(seq));
    if (rank > top.floor) top.add(seq, rank);
  }
  return top.sorted().map(({ note }) => note);
}

function listNotes(
  sql: Statements,
  { project, filter: { since, until }, hasHidden }: SearchScope,
  { match, order }: { readonly match: string; readonly order?: string | undefined },
): number[] {
  const isTimed = since !== undefined || until !== undefined;
  const timed = isTimed
    ? 'JOIN note ON note.seq = note_text.rowid AND note.created_at >= ? AND note.created_at < ?'
    : '';
  const times = isTimed ? [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER] : [];
  const shown = hasHidden
    ? 'AND note_text.rowid NOT IN (SELECT seq FROM note WHERE project = ? AND hidden = 1)'
    : '';
  return sql.column<number>(
    `SELECT note_text.rowid FROM note_text ${timed} WHERE note_text MATCH ? ${shown}
     ${order === undefined ? '' : `ORDER BY ${order}`}`,
    ...times,
    match,
    ...(hasHidden ? [project.id] : []),
  );
}

function isOfProject(sql: Statements, seq: number, project: number): boolean {
  return sql.list('SELECT 1 FROM note WHERE seq = ? AND project = ?', seq, project) !== undefined;
}
