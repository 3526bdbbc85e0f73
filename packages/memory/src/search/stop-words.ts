import { stem } from './stem.ts';

const WORDS =
  'a about after all also am an and any are as at be because been before being but by can could did do does doing ' +
  'for from had has have having he her here hers him his how i if in into is it its just me more most my no nor not ' +
  'of off on once only or other our out over own s same she should so some such t than that the their them then ' +
  'there these they this those through to too under until up us very was we were what when where which while who ' +
  'whom why will with would you your';

/** As they are written, and as tokens have them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  WORDS.split(' ').flatMap((word) => [word, stem(word)]),
);

/** Words that carry no meaning of their own: never asked for while a query has others. */
export function isStopWord(token: string): boolean {
  return STOP_WORDS.has(token);
}
