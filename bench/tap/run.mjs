// What a tap adds to each message: the same client and server, with and without `tincan tap` between them, by
// turns. Prints the median round trip of both and their ratio, for small and large messages and for many at once.
//
//   node tools/build.mjs && node bench/tap/run.mjs

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnServer } from '@tincan/wire';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recording = join(tmpdir(), `tincan-bench-${process.pid}.ndjson`);
const TAP = [`${root}packages/cli/dist/main.js`, 'tap', '--out', recording, '--', process.execPath];
// A server that works for a moment, as servers do, would hide the tap: this one only echoes.
const ECHO = `
const { Dispatcher, runServer } = await import(${JSON.stringify(`${root}packages/wire/dist/index.js`)});
await runServer(new Dispatcher({ echo: (params) => params }));
`;
const SERVER = ['--input-type=module', '-e', ECHO];

const WORKLOADS = [
  { name: 'small (60 B), one at a time', bytes: 1, inFlight: 1, calls: 2000 },
  { name: '10 kB, one at a time', bytes: 10_000, inFlight: 1, calls: 1000 },
  { name: '1 MB, one at a time', bytes: 1_000_000, inFlight: 1, calls: 8 },
  { name: 'small, 64 at once', bytes: 1, inFlight: 64, calls: 3200 },
];
const ROUNDS = 3;

const open = (args) => spawnServer({ command: process.execPath, args, timeoutMs: 120_000 });
const plain = await open(SERVER);
const tapped = await open([...TAP, ...SERVER]);
try {
  console.log('workload                       without       with   ratio   added');
  for (const workload of WORKLOADS) {
    const times = { plain: [], tapped: [] };
    await measure(plain, workload);
    await measure(tapped, workload);
    for (let round = 0; round < ROUNDS; round++) {
      times.plain.push(await measure(plain, workload));
      times.tapped.push(await measure(tapped, workload));
    }
    const [without, with_] = [median(times.plain), median(times.tapped)];
    const cells = [us(without), us(with_), (with_ / without).toFixed(2), us(with_ - without)];
    console.log(`${workload.name.padEnd(28)} ${cells.map((cell) => cell.padStart(9)).join(' ')}`);
  }
} finally {
  await Promise.all([plain.close(), tapped.close()]);
  rmSync(recording, { force: true });
}

/** Median time of a round trip in microseconds; with many in flight, time per call. */
async function measure(connection, { bytes, inFlight, calls }) {
  const params = { text: 'x'.repeat(bytes) };
  const times = [];
  for (let done = 0; done < calls; done += inFlight) {
    const from = performance.now();
    const batch = Array.from({ length: inFlight }, () => connection.request('echo', params));
    await Promise.all(batch);
    times.push(((performance.now() - from) * 1000) / inFlight);
  }
  return median(times);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function us(value) {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} ms` : `${Math.round(value)} µs`;
}
