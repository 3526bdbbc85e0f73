import type { SearchableFields } from './searchable.ts';
import { isAscii, isUnspaced, normalizeText, spacedRuns, tokenize } from './tokenize.ts';

const K1 = 0.6;
const B = 0.5;
const FIELD_WEIGHTS = { title: 1.5, text: 1, tags: 1.5 } as const;

/** How many notes there are, and how many of them hold each term, in the order of the terms. */
export interface TermCounts {
  readonly noteCount: number;
  readonly noteFrequency: readonly number[];
}

/** What BM25 needs to know about the notes a query runs over. */
export interface TermStatistics extends TermCounts {
  readonly averageLength: number;
}

/** Scores notes for one query; made once, used for every candidate. */
export interface LexicalScorer {
  score(note: ScoredFields): LexicalMatch;
}

/** The searched parts of a note, and its length as the index counts it. */
export interface ScoredFields extends SearchableFields {
  readonly tokens: number;
}

/** What the words of a note say to a question. */
export interface LexicalMatch {
  /** 0 without a shared term; 1 is a note of average length with every term once. */
  readonly score: number;
  /** The shared terms. */
  readonly terms: readonly string[];
}

/**
 * BM25 over weighted fields, divided by the query's ideal score instead of the best note's:
 * a weak match stays weak when nothing better is there.
 */
export function createLexicalScorer(
  terms: readonly string[],
  statistics: TermStatistics,
): LexicalScorer {
  const position = new Map(terms.map((term, index) => [term, index]));
  const idf = terms.map((_, index) => inverseFrequency(statistics, index));
  const ideal = idf.reduce((sum, value) => sum + value, 0);
  const unspaced = [...position].filter(([term]) => isUnspaced(term));
  const patterns = termPatterns(terms);
  const averageLength = Math.max(1, statistics.averageLength);

  // Notes repeat one another's words: what a run has of the question is found out once.
  const known = new Map<string, readonly number[]>();

  function score(note: ScoredFields): LexicalMatch {
    if (ideal === 0) return { score: 0, terms: [] };
    const frequency = new Float64Array(terms.length);
    if (note.title !== null) count(note.title, FIELD_WEIGHTS.title, frequency);
    count(note.text, FIELD_WEIGHTS.text, frequency);
    for (const tag of note.tags) count(tag, FIELD_WEIGHTS.tags, frequency);
    const norm = K1 * (1 - B + (B * note.tokens) / averageLength);
    let sum = 0;
    for (const [index, tf] of frequency.entries()) {
      if (tf > 0) sum += ((idf[index] ?? 0) * tf * (K1 + 1)) / (tf + norm);
    }
    return {
      score: Math.min(1, sum / ideal),
      terms: terms.filter((_, index) => (frequency[index] ?? 0) > 0),
    };
  }

  function count(text: string, weight: number, frequency: Float64Array): void {
    const plain = normalizeText(text);
    // Most words of a note hold no term.
    const pattern = plain.includes('_') ? patterns.spread : patterns.plain;
    for (const run of isAscii(plain) ? runsWith(pattern, plain) : spacedRuns(plain)) {
      let indexes = known.get(run);
      if (indexes === undefined) {
        indexes = tokenize(run).flatMap((token) => position.get(token) ?? []);
        known.set(run, indexes);
      }
      for (const index of indexes) frequency[index] = (frequency[index] ?? 0) + weight;
    }
    // Pairs of characters are found faster where they stand than by cutting all of the text into them.
    for (const [term, index] of unspaced) {
      frequency[index] = (frequency[index] ?? 0) + weight * occurrences(plain, term);
    }
  }

  return { score };
}

/** How rare the term at `index` is: what finding it says about a note. */
export function inverseFrequency({ noteCount, noteFrequency }: TermCounts, index: number): number {
  // Frequencies may be older than the count: never let one exceed the other.
  const frequency = Math.min(noteFrequency[index] ?? 0, noteCount);
  return Math.log(1 + (noteCount - frequency + 0.5) / (frequency + 0.5));
}

/** Finds where terms may stand in a plain text, and in one whose identifiers have underscores. */
interface TermPatterns {
  readonly plain: RegExp;
  readonly spread: RegExp;
}

/** A word begins with its stem, but for a `y` that may have been another ending. */
function termPatterns(terms: readonly string[]): TermPatterns {
  const starts = terms
    .filter((term) => isAscii(term))
    .map((term) => (term.length > 1 && term.endsWith('y') ? term.slice(0, -1) : term));
  const anyOf = (parts: readonly string[]): RegExp =>
    new RegExp([...new Set(parts)].join('|') || '(?!)', 'gi');
  // An identifier's parts make one term, whatever stands between them.
  return { plain: anyOf(starts), spread: anyOf(starts.map((start) => [...start].join('_*'))) };
}

/** The runs of letters and digits in a plain text that match at some place. */
function* runsWith(pattern: RegExp, text: string): Generator<string> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    let start = found.index;
    while (start > 0 && isWordAt(text, start - 1)) start -= 1;
    let end = found.index + found[0].length;
    while (end < text.length && isWordAt(text, end)) end += 1;
    yield text.slice(start, end);
    pattern.lastIndex = end;
  }
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}
