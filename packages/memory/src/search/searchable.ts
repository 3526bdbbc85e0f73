import { isStopWord } from './stop-words.ts';
import { tokenize } from './tokenize.ts';

/** The parts of a note that words are looked for in. */
export interface SearchableFields {
  readonly title: string | null;
  readonly text: string;
  readonly tags: readonly string[];
}

/** A note as the lexical index sees it. */
export interface SearchableNote {
  readonly title: readonly string[];
  readonly text: readonly string[];
  readonly tags: readonly string[];
  /** Tokens that are no stop words: what BM25 takes for the note's length. */
  readonly length: number;
}

/** Tokenises every searched field of a note once. */
export function searchableNote(fields: SearchableFields): SearchableNote {
  const title = fields.title === null ? [] : tokenize(fields.title);
  const text = tokenize(fields.text);
  const tags = fields.tags.flatMap((tag) => tokenize(tag));
  return { title, text, tags, length: meaningful(title) + meaningful(text) + meaningful(tags) };
}

/** The text a note is embedded by: a change of anything else never touches its vector. */
export function embeddedText(fields: Pick<SearchableFields, 'title' | 'text'>): string {
  return fields.title === null ? fields.text : `${fields.title}\n${fields.text}`;
}

function meaningful(tokens: readonly string[]): number {
  let count = 0;
  for (const token of tokens) if (!isStopWord(token)) count += 1;
  return count;
}
