import assert from 'node:assert/strict';
import { openSession } from '../session.mjs';

const params = { name: 'search', arguments: { query: 'tin cans and string', limit: 20 } };
const warmUp = { ms: 500, least: 10_000 };

/**
 * Requests of everyday size with a fixed number in flight.
 *
 * @param {{ column: string, pipes: boolean, sliceMs: number, inFlight: number }} options
 */
export async function openRequests({ column, pipes, sliceMs, inFlight }) {
  const { client, metered, close } = await openSession({ column, pipes });
  assert.equal((await client.request('echo', params)).name, params.name);
  await pump(client, inFlight, warmUp);
  return {
    async slice() {
      let latencies = [];
      const sample = await metered(async () => {
        latencies = await pump(client, inFlight, { ms: sliceMs });
        return latencies.length;
      });
      return inFlight === 1 ? { ...sample, latencies } : sample;
    },
    close,
  };
}

/** Keeps `inFlight` requests open until the time is over and `least` are done; gives the latency of each. */
async function pump(client, inFlight, { ms, least = 0 }) {
  const latencies = [];
  const end = performance.now() + ms;
  async function lane() {
    for (let now = performance.now(); now < end || latencies.length < least; ) {
      await client.request('echo', params);
      const done = performance.now();
      latencies.push(done - now);
      now = done;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane));
  return latencies;
}
