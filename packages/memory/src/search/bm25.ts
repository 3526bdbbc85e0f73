import type { SearchableNote } from './searchable.ts';

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
  score(note: SearchableNote): LexicalMatch;
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
  const averageLength = Math.max(1, statistics.averageLength);

  function score(note: SearchableNote): LexicalMatch {
    if (ideal === 0) return { score: 0, terms: [] };
    const frequency = new Float64Array(terms.length);
    count(note.title, FIELD_WEIGHTS.title, frequency);
    count(note.text, FIELD_WEIGHTS.text, frequency);
    count(note.tags, FIELD_WEIGHTS.tags, frequency);
    const norm = K1 * (1 - B + (B * note.length) / averageLength);
    let sum = 0;
    for (const [index, tf] of frequency.entries()) {
      if (tf > 0) sum += ((idf[index] ?? 0) * tf * (K1 + 1)) / (tf + norm);
    }
    return {
      score: Math.min(1, sum / ideal),
      terms: terms.filter((_, index) => (frequency[index] ?? 0) > 0),
    };
  }

  function count(tokens: readonly string[], weight: number, frequency: Float64Array): void {
    for (const token of tokens) {
      const index = position.get(token);
      if (index !== undefined) frequency[index] = (frequency[index] ?? 0) + weight;
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
