import { findMethod } from '../methods/methods.ts';
import type { Call } from './call.ts';

/**
 * Calls take effect in the order they came, as whoever pipes a script of them expects: calls that only
 * read run together, as do calls that only add; any other runs alone.
 */
export function inOrder(call: Call): Call {
  /** Everything before the calls that may run now, and everything so far. */
  let before: Promise<unknown> = Promise.resolve();
  let all: Promise<unknown> = before;
  let kind: Kind | undefined;
  return (name, params, context) => {
    const next = kindOf(name);
    if (next !== kind || next === 'replaces') before = all;
    kind = next;
    const answer = before.then(() => call(name, params, context));
    all = Promise.allSettled([all, answer]).then(forget);
    return answer;
  };
}

/** What a call does to the store. */
type Kind = 'reads' | 'adds' | 'replaces';

/** The kind of a method, by its annotations. */
export function kindOf(name: string): Kind {
  const annotations = findMethod(name)?.annotations;
  if (annotations === undefined || annotations.readOnlyHint) return 'reads';
  return annotations.destructiveHint ? 'replaces' : 'adds';
}

/** Keeps no answer alive for the sake of the order. */
function forget(): void {}
