import assert from 'node:assert/strict';
import { openSession } from '../session.mjs';

const params = { name: 'search', arguments: { query: 'tin cans and string', limit: 20 } };
const warmUp = { ms: 500, least: 10_000 };

/**
 * Requests of everyday size with a fixed number in flight.
 *
 * @param {{ column: string, pipes: boolean, seconds: number, inFlight: number }} options
 */
export async function measureRequests({ column, pipes, seconds, inFlight }) {
  const { client, startMeter } = await openSession({ column, pipes });
  assert.equal((await client.request('echo', params)).name, params.name);
  await pump(client, inFlight, warmUp);

  const stopMeter = await startMeter();
  const latencies = await pump(client, inFlight, { ms: seconds * 1000 });
  const metered = await stopMeter(latencies.length);
  await client.close();
  return {
    value: (latencies.length / metered.elapsedMs) * 1000,
    ...metered,
    note: inFlight === 1 ? quantiles(latencies) : '',
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

function quantiles(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => (sorted[Math.floor(sorted.length * share)] * 1000).toFixed(0);
  return `p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`;
}
