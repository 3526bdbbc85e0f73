// Measures the memory server over stdio beside `@modelcontextprotocol/server-memory`, beside the same SQLite
// used bare, and its start beside bare Node, all in one run. Columns take turns within a round, and ratios
// are paired within it: read those, and CPU rather than time where the machine is shared.
//
//   npm run bench:memory -- [--sizes 1000,10000] [--large] [--rounds 3] [--calls 200] [--markdown]

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeNote, makeQuery } from './notes.mjs';
import { cpuMs, start } from './process.mjs';
import { SERVERS } from './servers.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    large: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '15' },
    calls: { type: 'string', default: '200' },
    markdown: { type: 'boolean', default: false },
  },
});
const sizes = [...values.sizes.split(',').map(Number), ...(values.large ? [100_000] : [])];
const calls = Number(values.calls);
const root = mkdtempSync(join(tmpdir(), 'tincan-bench-'));

try {
  reportStarts(await measureStarts());
  for (const size of sizes) reportCalls(size, await measureCalls(size));
} finally {
  rmSync(root, { recursive: true, force: true });
}

function folderFor({ name }, label) {
  const folder = join(root, `${name.replaceAll(/\W+/g, '-')}-${label}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function measureStarts() {
  const samples = new Map(SERVERS.map(({ name }) => [name, []]));
  for (let round = 0; round < Number(values.starts); round++) {
    for (const server of SERVERS) {
      const running = start(server, folderFor(server, 'start'));
      samples.get(server.name).push(await running.handshake());
      await running.end();
    }
  }
  return samples;
}

async function measureCalls(size) {
  const contestants = SERVERS.filter(({ add }) => add !== undefined);
  const notes = Array.from({ length: size }, makeNote);
  const samples = new Map(contestants.map(({ name }) => [name, []]));
  for (const server of contestants) await fill(server, notes, size);
  for (let round = 0; round < Number(values.rounds); round++) {
    const fresh = Array.from({ length: calls }, makeNote);
    const asked = Array.from({ length: calls }, (_, i) =>
      makeQuery(notes[(i * 7919 + round) % size]),
    );
    for (const server of contestants) {
      const running = start(server, folderFor(server, size));
      await running.handshake();
      for (const query of asked.slice(0, 20)) await running.request(...server.search(query));
      const search = await timed(running, asked.map(server.search));
      const add = await timed(running, fresh.map(server.add));
      samples.get(server.name).push({ search, add, rssMb: rssMb(running.pid) });
      await running.end();
    }
    process.stderr.write(`${size} notes: round ${round + 1} of ${values.rounds}\n`);
  }
  return samples;
}

async function fill(server, notes, size) {
  const folder = folderFor(server, size);
  if (!server.isFilledRunning) {
    server.fill(folder, notes);
    return;
  }
  const running = start(server, folder);
  await server.fill(folder, notes, running.request);
  await running.end();
}

/** One call after the other: time of each, and CPU of the server for all. */
async function timed({ pid, request }, requests) {
  const before = cpuMs(pid);
  const times = [];
  for (const each of requests) {
    const begun = performance.now();
    await request(...each);
    times.push(performance.now() - begun);
  }
  return { times, cpuMs: (cpuMs(pid) - before) / requests.length };
}

function rssMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function quantile(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))];
}

function median(numbers) {
  return quantile(numbers, 0.5);
}

function pairedRatio(own, reference, pick) {
  return median(own.map((sample, i) => pick(sample) / pick(reference[i]))).toFixed(2);
}

function reportStarts(samples) {
  print(
    'Start to the answer of `initialize`',
    [...samples].map(([name, own]) => ({
      server: name,
      'time, ms': median(own.map(({ startMs }) => startMs)).toFixed(0),
      'CPU, ms': median(own.map(({ startCpuMs }) => startCpuMs)).toFixed(0),
      'CPU of bare Node': pairedRatio(own, samples.get('bare Node'), (s) => s.startCpuMs),
    })),
  );
}

function reportCalls(size, samples) {
  const reference = samples.get('server-memory');
  const times = (own, kind) => own.flatMap((sample) => sample[kind].times);
  print(
    `${size.toLocaleString('en')} notes`,
    [...samples].map(([name, own]) => {
      const row = { server: name };
      for (const kind of ['add', 'search']) {
        const [p50, p99] = [0.5, 0.99].map((share) => quantile(times(own, kind), share).toFixed(2));
        row[`${kind} p50 / p99, ms`] = `${p50} / ${p99}`;
        row[`${kind} CPU, ms`] = median(own.map((sample) => sample[kind].cpuMs)).toFixed(2);
        row[`${kind} of server-memory`] = pairedRatio(own, reference, (s) => s[kind].cpuMs);
      }
      row['resident, MB'] = Math.round(median(own.map((sample) => sample.rssMb)));
      return row;
    }),
  );
}

function print(title, rows) {
  if (!values.markdown) {
    console.log(title);
    console.table(rows);
    return;
  }
  const keys = Object.keys(rows[0]);
  console.log(`\n### ${title}\n\n| ${keys.join(' | ')} |\n|${keys.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${keys.map((key) => row[key]).join(' | ')} |`);
}
