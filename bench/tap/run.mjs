// What a tap adds to each message: the same client and server alone, with a relay between them that only passes
// bytes on, and with `tincan tap`, by turns. Ratios are paired within a round; read those, not the microseconds.
//
//   npm run bench:tap [-- --rounds 7] [-- --markdown]

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawnServer } from 'tincan-wire';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    markdown: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const recording = join(tmpdir(), `tincan-bench-${process.pid}.ndjson`);

/** What stands in front of the server's command. */
const PATHS = {
  alone: [],
  relay: [process.execPath, file('relay.mjs')],
  tap: [
    process.execPath,
    file('../../packages/cli/bin/tincan.js'),
    'tap',
    '--out',
    recording,
    '--',
  ],
};

/** Clients, each with a server of its kind; a call sends a text and gets it back. */
const ENDS = {
  wire: async (path) => {
    const [command, ...args] = [
      ...path,
      process.execPath,
      file('../wire/columns/tincan/server.mjs'),
    ];
    const client = await spawnServer({ command, args, timeoutMs: 120_000 });
    return { call: (text) => client.request('echo', { text }), close: () => client.close() };
  },
  'SDK v1': async (path) => {
    const [command, ...args] = [...path, process.execPath, file('../mcp/servers/sdk-v1.mjs')];
    const client = new Client({ name: 'bench', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command, args }));
    return {
      call: (text) => client.callTool({ name: 'echo', arguments: { text } }),
      close: () => client.close(),
    };
  },
};

const WORKLOADS = [
  { ends: 'SDK v1', name: '100 B', bytes: 1, inFlight: 1, calls: 1000 },
  { ends: 'SDK v1', name: '10 kB', bytes: 10_000, inFlight: 1, calls: 500 },
  { ends: 'SDK v1', name: '1 MB', bytes: 1_000_000, inFlight: 1, calls: 6 },
  { ends: 'wire', name: '60 B', bytes: 1, inFlight: 1, calls: 2000 },
  { ends: 'wire', name: '10 kB', bytes: 10_000, inFlight: 1, calls: 1000 },
  { ends: 'wire', name: '1 MB', bytes: 1_000_000, inFlight: 1, calls: 8 },
  { ends: 'wire', name: '60 B, 64 at once', bytes: 1, inFlight: 64, calls: 3200 },
];

const rows = [];
for (const ends of Object.keys(ENDS)) {
  const lines = {};
  for (const [name, path] of Object.entries(PATHS)) lines[name] = await ENDS[ends](path);
  try {
    for (const workload of WORKLOADS) {
      if (workload.ends === ends)
        rows.push([ends, workload.name, ...(await compare(lines, workload))]);
    }
  } finally {
    await Promise.all(Object.values(lines).map((line) => line.close()));
    rmSync(recording, { force: true });
  }
}
print(['ends', 'message', 'alone', 'relay', 'tap', 'tap : alone', 'tap : relay', 'tap adds'], rows);

/** Times of each path, then how the tap compares. */
async function compare(lines, workload) {
  const times = Object.fromEntries(Object.keys(PATHS).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of Object.keys(PATHS)) {
      const time = await measure(lines[name], workload);
      // The first round is for the compiler.
      if (round >= 0) times[name].push(time);
    }
  }
  const ratio = (to) => median(times.tap.map((time, round) => time / times[to][round])).toFixed(2);
  const added = median(times.tap.map((time, round) => time - times.alone[round]));
  return [
    ...Object.values(times).map((each) => readable(median(each))),
    ...[ratio('alone'), ratio('relay'), readable(added)],
  ];
}

/** Median time of a round trip in microseconds; with many in flight, time per call. */
async function measure(line, { bytes, inFlight, calls }) {
  const text = 'x'.repeat(bytes);
  const times = [];
  for (let done = 0; done < calls; done += inFlight) {
    const from = performance.now();
    await Promise.all(Array.from({ length: inFlight }, () => line.call(text)));
    times.push(((performance.now() - from) * 1000) / inFlight);
  }
  return median(times);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function readable(us) {
  return Math.abs(us) >= 10_000 ? `${(us / 1000).toFixed(1)} ms` : `${Math.round(us)} µs`;
}

function print(head, body) {
  if (values.markdown) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    console.log([line(head), `|${'---|'.repeat(head.length)}`, ...body.map(line)].join('\n'));
    return;
  }
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((row) => row[at].length)));
  for (const row of [head, ...body]) {
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    );
  }
}
