// Measures the MCP layer beside the official servers, in one run: CPU from start to the first answer, and CPU
// of the server for one `tools/call`. Ratios are paired within a round; read those, not the milliseconds.
// One start of each comes first and is not counted, so that programs with a compile cache find it filled.
//
//   node bench/mcp/run.mjs [--rounds 7] [--starts 10] [--calls 20000] [--markdown]
//   node bench/mcp/run.mjs --calls 0      only the starts

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    starts: { type: 'string', default: '10' },
    calls: { type: 'string', default: '20000' },
    markdown: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const starts = Number(values.starts);
const calls = Number(values.calls);

const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  },
};
const LEGACY = {
  first: {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  meta: {},
};
const MODERN = { first: { method: 'server/discover', params: META }, meta: META };

const home = mkdtempSync(join(tmpdir(), 'tincan-mcp-'));
const bundled = join(home, 'bundled/tincan.cjs');

const COLUMNS = [
  { name: 'bare Node', program: 'bare', era: LEGACY },
  { name: 'tincan, legacy', program: 'tincan', era: LEGACY },
  { name: 'tincan, modern', program: 'tincan', era: MODERN },
  { name: 'tincan, compile cache', file: 'servers/tincan-cached.mjs', era: LEGACY },
  { name: 'tincan, bundled', file: bundled, era: LEGACY },
  { name: 'SDK v1', program: 'sdk-v1', era: LEGACY },
  { name: 'SDK v2, legacy', program: 'sdk-v2', era: LEGACY },
  { name: 'SDK v2, modern', program: 'sdk-v2', era: MODERN },
  // Servers with tools of their own: only their start compares.
  { name: 'tincan-memory', file: '../../packages/memory/bin/tincan-memory.js', era: LEGACY },
  {
    name: 'tincan-answer',
    file: '../../packages/answer/bin/tincan-answer.js',
    args: ['--stdio'],
    era: LEGACY,
  },
];

await bundleServer();
const samples = new Map(COLUMNS.map(({ name }) => [name, []]));
for (const column of COLUMNS) await (await start(column)).end();
for (let round = 0; round < rounds; round++) {
  const startMs = await measureStarts();
  for (const column of COLUMNS) {
    const isCalled = column.program !== undefined && calls > 0;
    const callUs = isCalled ? await measureCalls(column) : Number.NaN;
    samples.get(column.name).push({ startMs: startMs.get(column.name), callUs });
  }
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
}
rmSync(home, { recursive: true, force: true });
report();

/** The same server as one CommonJS file, as a bundler writes it. */
async function bundleServer() {
  const input = fileURLToPath(new URL('servers/tincan.mjs', import.meta.url));
  const build = await rolldown({ input, platform: 'node' });
  await build.write({
    dir: join(home, 'bundled'),
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
  });
  await build.close();
}

/** Columns take turns; the median of each. */
async function measureStarts() {
  const taken = new Map(COLUMNS.map(({ name }) => [name, []]));
  for (let i = 0; i < starts; i++) {
    for (const column of COLUMNS) {
      const { cpuMs, end } = await start(column);
      taken.get(column.name).push(cpuMs());
      await end();
    }
  }
  return new Map([...taken].map(([name, times]) => [name, median(times)]));
}

async function measureCalls(column) {
  const { request, notify, cpuMs, end } = await start(column);
  notify('notifications/initialized');
  const call = (text) =>
    request('tools/call', { name: 'echo', arguments: { text }, ...column.era.meta });
  for (let i = 0; i < calls / 10; i++) await call(`warm ${i}`);
  const before = cpuMs();
  // Sixteen under way: the pipe is kept busy, and what is left is the work of the server.
  let sent = 0;
  const worker = async () => {
    while (sent++ < calls) await call(`call ${sent}`);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const callUs = ((cpuMs() - before) * 1000) / calls;
  await end();
  return callUs;
}

/** A server that has given its first answer. */
async function start({ program, file = `servers/${program}.mjs`, args = [], era }) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Nothing else: a list of certificates, say, takes every start of Node longer than all that is measured.
    env: { PATH: process.env.PATH, HOME: home, TINCAN_HOME: home },
  });
  const lines = createInterface({ input: child.stdout });
  const waiting = new Map();
  lines.on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let nextId = 1;
  const request = (method, params) => {
    const id = nextId++;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  };
  await request(era.first.method, era.first.params);
  return {
    request,
    notify: (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    cpuMs: () => cpuMsOf(child.pid),
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}

/** Time on the processor since the start, of all threads: garbage collection runs on others than the main one. */
function cpuMsOf(pid) {
  const folder = `/proc/${pid}/task`;
  const times = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Median of the ratios within rounds. */
function ratio(name, reference, key) {
  return median(samples.get(name).map((sample, i) => sample[key] / samples.get(reference)[i][key]));
}

function shown(number, digits) {
  return Number.isNaN(number) ? '–' : number.toFixed(digits);
}

function report() {
  const rows = COLUMNS.map(({ name }) => {
    const own = samples.get(name);
    return {
      server: name,
      'start, CPU ms': median(own.map(({ startMs }) => startMs)).toFixed(0),
      'of bare Node': ratio(name, 'bare Node', 'startMs').toFixed(2),
      'call, CPU µs': shown(median(own.map(({ callUs }) => callUs)), 1),
      'of SDK v2, same era': shown(
        ratio(name, name.includes('modern') ? 'SDK v2, modern' : 'SDK v2, legacy', 'callUs'),
        2,
      ),
    };
  });
  if (!values.markdown) {
    console.table(rows);
    return;
  }
  const keys = Object.keys(rows[0]);
  console.log(`| ${keys.join(' | ')} |\n|${keys.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${keys.map((key) => row[key]).join(' | ')} |`);
}
