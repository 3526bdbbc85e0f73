import type { SearchableNote } from './searchable.ts';
import { isStopWord } from './stop-words.ts';

/** The different words of a note by which it is compared with others: stop words only when there is nothing else. */
export function comparedWords({
  title,
  text,
}: Pick<SearchableNote, 'title' | 'text'>): Set<string> {
  const all = [...title, ...text];
  const meaningful = all.filter((word) => !isStopWord(word));
  return new Set(meaningful.length > 0 ? meaningful : all);
}

/** Share of the words of either that both have, 0 to 1. */
export function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}
