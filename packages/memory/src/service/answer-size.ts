import type { StoredNote } from '../store/note.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { formatInstant } from './instant.ts';
import type { StoredNoteView } from './notes.ts';
import { wellFormed } from './well-formed.ts';

const SNIPPET_CHARS = 240;

/** How much of each note an answer carries. */
export type Detail = 'ids' | 'snippet' | 'full';

/** Why a note is in an answer. */
export interface Match {
  readonly by: RankedBy;
  /** Words of the question that the note holds. */
  readonly words: readonly string[];
  /** Ids of notes around it that speak for it. */
  readonly context?: readonly string[];
}

type RankedBy = 'lexical' | 'vector' | 'both' | 'context';

/** One note of an answer; all of the note unless less was asked for. */
export interface NoteResult extends Partial<StoredNoteView> {
  readonly id: string;
  readonly score: number;
  readonly match: Match;
  /** The text is not all of it. */
  readonly isCut?: true;
}

/** A note as an answer carries it, with as much detail as was asked for. */
export function viewResult(
  { createdAt, ...note }: StoredNote,
  { score, match, detail }: { score: number; match: Match; detail: Detail },
): NoteResult {
  if (detail === 'ids') return { id: note.id, score, match };
  const whole = { ...note, createdAt: formatInstant(createdAt), score, match };
  return detail === 'full' ? whole : cut(whole);
}

/** The results that fit a budget, best first: a note too long for what is left is cut before it is dropped. */
export function fitBudget(
  results: readonly NoteResult[],
  maxTokens: number,
): readonly NoteResult[] {
  const kept: NoteResult[] = [];
  let left = maxTokens;
  for (const result of results) {
    const fit = [result, cut(result)].find((form) => costOf(form) <= left);
    if (fit === undefined) break;
    kept.push(fit);
    left -= costOf(fit);
  }
  return kept;
}

function costOf(result: NoteResult): number {
  return estimateTokens(JSON.stringify(result));
}

/** The part of a text where the words stand that were asked for. */
function cut(result: NoteResult): NoteResult {
  const { text, match } = result;
  if (text === undefined || text.length <= SNIPPET_CHARS) return result;
  const lower = text.toLowerCase();
  const places = match.words
    .map((word) => lower.indexOf(word.toLowerCase()))
    .filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = Math.max(0, Math.min(first - SNIPPET_CHARS / 4, text.length - SNIPPET_CHARS));
  const part = wellFormed(text.slice(start, start + SNIPPET_CHARS));
  const end = start + SNIPPET_CHARS < text.length ? ' …' : '';
  return { ...result, text: `${start > 0 ? '… ' : ''}${part.trim()}${end}`, isCut: true };
}
