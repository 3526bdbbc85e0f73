import { describe, expect, it } from 'vitest';
import { CORPUS } from './corpus.ts';
import { CLIENT, cutAt, cutEvery, decodeChunks, SERVER, valuesOf } from './decode.ts';

/** Streams up to this length are cut at every pair of offsets. */
const PAIRS_UP_TO = 110;

describe.each([
  ['server', SERVER],
  ['client', CLIENT],
] as const)('at the %s end', (_end, options) => {
  it.each(CORPUS)('decodes whole: $name', ({ bytes, values }) => {
    const found = decodeChunks([bytes], options);
    expect(valuesOf(found)).toEqual(values);
    expect(found.filter(({ kind }) => kind !== 'message')).toEqual([]);
  });

  it.each(CORPUS)('decodes the same split at every offset: $name', ({ bytes }) => {
    const whole = decodeChunks([bytes], options);
    for (let at = 0; at <= bytes.length; at++) {
      expect(decodeChunks(cutAt(bytes, [at]), options), `split at ${at}`).toEqual(whole);
    }
  });

  it.each(CORPUS)('decodes the same in chunks of 1, 2, 3 and 7 bytes: $name', ({ bytes }) => {
    const whole = decodeChunks([bytes], options);
    for (const size of [1, 2, 3, 7]) {
      expect(decodeChunks(cutEvery(bytes, size), options), `size ${size}`).toEqual(whole);
    }
  });

  it.each(CORPUS.filter(({ bytes }) => bytes.length <= PAIRS_UP_TO))(
    'decodes the same split at every pair of offsets: $name',
    ({ bytes }) => {
      const whole = JSON.stringify(decodeChunks([bytes], options));
      for (let first = 1; first < bytes.length; first++) {
        for (let second = first; second < bytes.length; second++) {
          const found = decodeChunks(cutAt(bytes, [first, second]), options);
          // Thousands of cuts: the costly comparison is for the one that fails.
          if (JSON.stringify(found) === whole) continue;
          expect(found, `split at ${first} and ${second}`).toEqual(JSON.parse(whole));
        }
      }
    },
  );
});
