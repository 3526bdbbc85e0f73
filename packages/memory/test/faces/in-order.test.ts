import { expect, it } from 'vitest';
import { inOrder } from '../../src/faces/in-order.ts';

/** Calls that wait until the test lets them go, and the order in which they began. */
function heldCalls(): {
  call: (name: string, params: unknown) => Promise<unknown>;
  begun: unknown[];
  release: (params: unknown, error?: Error) => Promise<void>;
} {
  const begun: unknown[] = [];
  const ends = new Map<unknown, (error?: Error) => void>();
  return {
    begun,
    call: (_name, params) => {
      begun.push(params);
      return new Promise((resolve, reject) => {
        ends.set(params, (error) => (error === undefined ? resolve(params) : reject(error)));
      });
    },
    release: async (params, error) => {
      ends.get(params)?.(error);
      await settled();
    },
  };
}

/** Lets everything that can happen now happen. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const [search, add, update] = ['memory.search', 'memory.add_note', 'memory.update'] as const;

it.each([
  ['reads', search, 'memory.get'],
  ['additions', add, 'memory.group_create'],
])('runs %s together', async (_, first, second) => {
  const { call, begun } = heldCalls();
  const ordered = inOrder(call);
  for (const [index, name] of [first, second, first].entries()) void ordered(name, index);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
});

it.each([
  ['a read waits for the additions before it', [add, add, search], [0, 1]],
  ['an addition waits for the reads before it', [search, add], [0]],
  ['a change waits for a change', [update, update], [0]],
  ['a change waits for an addition', [add, update], [0]],
  ['a read waits for a change', [update, search], [0]],
  ['an unknown method counts as a read', [search, 'memory.nope', update], [0, 1]],
])('%s', async (_, names, firsts) => {
  const { call, begun, release } = heldCalls();
  const ordered = inOrder(call);
  for (const [index, name] of names.entries()) void ordered(name, index);
  await settled();
  expect(begun).toEqual(firsts);
  for (const first of firsts) await release(first);
  expect(begun).toEqual([...names.keys()]);
});

it('goes on after a call that failed, and passes on every outcome', async () => {
  const { call, begun, release } = heldCalls();
  const ordered = inOrder(call);
  const failing = ordered(update, 'a');
  const following = ordered(update, 'b');
  await settled();
  const failure = expect(failing).rejects.toThrow('no');
  await release('a', new Error('no'));
  await failure;
  expect(begun).toEqual(['a', 'b']);
  await release('b');
  expect(await following).toBe('b');
});

it('lets a read that came behind a change not overtake it through reads before', async () => {
  const { call, begun, release } = heldCalls();
  const ordered = inOrder(call);
  for (const [index, name] of [search, update, search].entries()) void ordered(name, index);
  await settled();
  expect(begun).toEqual([0]);
  await release(0);
  expect(begun).toEqual([0, 1]);
  await release(1);
  expect(begun).toEqual([0, 1, 2]);
});
