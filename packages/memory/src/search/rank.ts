import type { StoredNote } from '../store/note.ts';
import type { Candidate, Candidates, Thread } from '../store/store.ts';
import {
  createLexicalScorer,
  type LexicalMatch,
  type LexicalScorer,
  type TermStatistics,
} from './bm25.ts';
import { demoteRepeats } from './repeats.ts';
import type { Evidence } from './score.ts';
import { FAINT_COHERENCE, THREAD_REACH } from './thread.ts';
import type { TimeSpan } from './time-words.ts';
import { tokenize } from './tokenize.ts';

/** What decides a rank. */
export interface RankWeights {
  /** What the words weigh, one deviation of the cosine above the project's mean, and words that are alike. */
  readonly words: number;
  readonly deviation: number;
  readonly likeness: number;
  /** What a neighbour's own rank adds to a note's, two before to two after: an answer follows its question. */
  readonly neighbours: readonly number[];
  /** What a note loses whose every word stands in one above it. */
  readonly repeated: number;
  /** What a note gains that was made at the time a question names, and at a date with its year. */
  readonly namedTime: number;
  readonly namedDate: number;
}

/** The weights in force; `bench/retrieval/leave-out.mjs` shows how well their like do on notes they were not chosen by. */
export const WEIGHTS: RankWeights = {
  words: 0.5,
  deviation: 0.085,
  likeness: 0.4,
  neighbours: [0.2, 0.4, 0, 0.2, 0.1],
  repeated: 0.25,
  namedTime: 0.05,
  namedDate: 0.2,
};

/** Where notes are longer than this, their vectors blur what they say. */
const CLEAR_TOKENS = 40;

/** In a text longer than this any word finds some like. */
const LIKE_TOKENS = 25;

/** A note longer than this says by itself what it is about. */
const TERSE_TOKENS = 30;

/** From here on a vector or a neighbour is a reason to be named. */
const TELLING_DEVIATIONS = 1.5;
const TELLING_GAIN = 0.03;

/** What a question asks candidates for. */
export interface Question {
  /** Its terms, as the index has them. */
  readonly terms: readonly string[];
  /** How well its words find their like in each candidate, in their order; absent where no model can tell. */
  readonly likeness?: readonly number[] | undefined;
  /** The time it names in words: notes of then come a little before others. */
  readonly time?: TimeSpan | undefined;
  /** How many notes are wanted; all without it. */
  readonly limit?: number;
  readonly weights?: RankWeights;
}

/** A note with its place in the answer and the reasons for it. */
export interface RankedNote extends Evidence {
  readonly note: StoredNote;
  readonly rank: number;
  readonly foundBy: 'lexical' | 'vector' | 'both' | 'context';
  /** Terms of the question that the note holds. */
  readonly terms: readonly string[];
  /** Notes around it in its thread that speak for it, the loudest first. */
  readonly context: readonly string[];
}

interface Weighed extends Evidence {
  readonly note: StoredNote;
  readonly tokens: number;
  readonly terms: LexicalMatch['terms'];
  /** What the note's own words and vector say. */
  readonly own: number;
}

/** What a note is likely to rank by, before its text is looked at: its share of the words, and how close it is. */
export function likelyRank(share: number, deviations: number): number {
  return WEIGHTS.words * share + WEIGHTS.deviation * deviations;
}

/** Orders candidates by their words, their vectors and the notes around them, and gives the first of them. */
export function rankCandidates(
  found: Candidates,
  { terms, likeness, time, limit = Number.POSITIVE_INFINITY, weights = WEIGHTS }: Question,
): RankedNote[] {
  const scorer = createLexicalScorer(terms, found.statistics);
  const timeless = time && timelessScorer(terms, time, found.statistics);
  const weighed = new Map(
    found.candidates.map((candidate, index) => {
      const { note, tokens } = candidate;
      const { title, text, tags } = note;
      const fields = { title, text, tags, tokens };
      const { score, terms: shared } = scorer.score(fields);
      const then = timeless && isWithin(note, time) ? timeless.score(fields).score : 0;
      const lexical = { score: Math.max(score, then), terms: shared };
      const said = { lexical, likeness: likeness?.[index] ?? 0 };
      return [note.id, weigh(candidate, said, { found, weights })];
    }),
  );
  const links = linksOf(found.threads);
  const timeGain = time?.isDate === true ? weights.namedDate : weights.namedTime;
  const alone = Array.from(weighed.values(), (itself) => {
    const { note, own } = itself;
    const link = links.get(note.id);
    const talk = link === undefined ? 0 : talkOf(itself, link);
    const neighbours = talk === 0 ? [] : weights.neighbours.map((weight) => talk * weight);
    const gains = link === undefined ? [] : gainsFrom(link, neighbours, weighed);
    const gain = gains.reduce((sum, each) => sum + each.gain, 0);
    const rank = own + gain + (time && isWithin(note, time) ? timeGain : 0);
    return { note, itself, talk, gains, gain, rank };
  });
  alone.sort((a, b) => b.rank - a.rank || b.note.createdAt - a.note.createdAt);
  return demoteRepeats(alone, weights.repeated)
    .slice(0, limit)
    .map(({ itself, rank, gain, gains }) => ({
      ...itself,
      rank,
      foundBy: wayTo(itself, gain),
      context: gains
        .filter((each) => each.gain >= TELLING_GAIN)
        .sort((a, b) => b.gain - a.gain)
        .map(({ id }) => id),
    }));
}

function weigh(
  { note, cosines, tokens }: Candidate,
  { lexical, likeness }: { readonly lexical: LexicalMatch; readonly likeness: number },
  { found, weights }: { readonly found: Candidates; readonly weights: RankWeights },
): Weighed {
  const space = cosines.findIndex((cosine) => cosine !== undefined);
  const cosine = cosines[space];
  const spread = found.spreads[space];
  const deviations =
    cosine === undefined || spread === undefined || spread.deviation === 0
      ? 0
      : (cosine - spread.mean) / spread.deviation;
  const clarity = Math.min(1, CLEAR_TOKENS / Math.max(1, found.statistics.averageLength));
  return {
    note,
    tokens,
    lexical: lexical.score,
    terms: lexical.terms,
    cosine,
    deviations,
    likeness,
    own:
      weights.words * lexical.score +
      weights.deviation * clarity * deviations +
      weights.likeness * likeness * Math.min(1, LIKE_TOKENS / Math.max(1, tokens)),
  };
}

interface Links {
  /** Ids of the neighbours, from the furthest before to the furthest after; its own place is empty. */
  readonly around: (string | undefined)[];
  readonly coherence: number;
}

/** Each note's neighbours by steps, from all the threads it was seen in. */
function linksOf(threads: readonly Thread[]): Map<string, Links> {
  const links = new Map<string, Links>();
  for (const { notes, coherence } of threads) {
    for (const [i, id] of notes.entries()) {
      if (id === undefined) continue;
      const own = links.get(id) ?? { around: [], coherence };
      links.set(id, own);
      for (let steps = -THREAD_REACH; steps <= THREAD_REACH; steps += 1) {
        const neighbour = steps === 0 ? undefined : notes[i + steps];
        if (neighbour !== undefined) own.around[steps + THREAD_REACH] = neighbour;
      }
    }
  }
  return links;
}

/** How far a note is one of a talk, 0 to 1: terse, among others on the same thing. */
function talkOf({ tokens }: Weighed, { coherence }: Links): number {
  const talk = Math.min(1, (TERSE_TOKENS / Math.max(1, tokens)) ** 2) * coherence;
  return talk < FAINT_COHERENCE ? 0 : talk;
}

interface Gain {
  readonly id: string;
  readonly gain: number;
}

/** What each neighbour adds to a note, by what its place counts. */
function gainsFrom(
  { around }: Links,
  weights: readonly number[],
  weighed: ReadonlyMap<string, Weighed>,
): readonly Gain[] {
  return weights.flatMap((weight, place) => {
    const id = around[place];
    return id === undefined ? [] : { id, gain: weight * (weighed.get(id)?.own ?? 0) };
  });
}

function wayTo({ own, lexical, deviations }: Weighed, gain: number): RankedNote['foundBy'] {
  if (gain > own && gain >= TELLING_GAIN) return 'context';
  if (lexical === 0) return 'vector';
  return deviations >= TELLING_DEVIATIONS ? 'both' : 'lexical';
}

function isWithin({ createdAt }: StoredNote, { from, to }: TimeSpan): boolean {
  return from <= createdAt && createdAt < to;
}

/** A note of the time that is named need not name it: scores by the other words of the question. */
function timelessScorer(
  terms: readonly string[],
  { words }: TimeSpan,
  statistics: TermStatistics,
): LexicalScorer {
  const naming = new Set(tokenize(words));
  const isOther = (_: unknown, index: number): boolean => !naming.has(terms[index] ?? '');
  const noteFrequency = statistics.noteFrequency.filter(isOther);
  return createLexicalScorer(terms.filter(isOther), { ...statistics, noteFrequency });
}
