import assert from 'node:assert/strict';
import { openSession } from '../session.mjs';
import { bigText } from './big-text.mjs';

/**
 * A large message there and back, one at a time.
 *
 * @param {{ column: string, pipes: boolean, mebibytes: number, repeats: number }} options
 */
export async function openBig({ column, pipes, mebibytes, repeats }) {
  const { client, metered, close } = await openSession({ column, pipes });
  const params = { text: bigText(mebibytes * 2 ** 20) };
  const { text } = await client.request('echo', params);
  assert.equal(text.length, params.text.length);
  return {
    slice: () =>
      metered(async () => {
        for (let i = 0; i < repeats; i += 1) await client.request('echo', params);
        return repeats;
      }),
    close,
  };
}
