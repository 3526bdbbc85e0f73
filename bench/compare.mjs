// Compares this checkout with another one, both built, in one run: the two take turns within each round,
// and ratios are paired within it. A ratio is new over old of the CPU or time per call; less is better.
//
// `--warm 15` runs that many slices of each driver first and leaves them out: without it, the time in which the engine
// compiles counts too.
//
//   npm run bench:compare -- --base ../other-checkout [--rounds 15] [--only sequential,search] [--size 2000] [--warm 0]

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeNote, makeQuery } from './memory/notes.mjs';
import { cpuMs, start } from './memory/process.mjs';
import { startDriver } from './wire/measure.mjs';

const WIRE = ['sequential', 'window64', 'window1024', 'notify', 'flood', 'big1', 'parser', 'start'];
const MEMORY = ['search', 'add'];

/** A worse end of the interval up to this counts as unchanged. */
const TOLERATED = 1.03;

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: [...WIRE, ...MEMORY].join(',') },
    size: { type: 'string', default: '2000' },
    calls: { type: 'string', default: '150' },
    warm: { type: 'string', default: '0' },
  },
});
if (values.base === undefined) {
  throw new Error('expected `--base` to name the folder of another checkout, built');
}
const checkouts = { old: resolve(values.base), new: resolve(import.meta.dirname, '..') };
const rounds = Number(values.rounds);
const chosen = values.only.split(',');
const rows = [];

for (const workload of WIRE.filter((name) => chosen.includes(name))) {
  rows.push(rowOf(`wire ${workload}`, await inRounds(() => measureWire(workload))));
}
if (MEMORY.some((name) => chosen.includes(name))) await compareMemory();
console.table(rows);

async function inRounds(measure) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push(await measure(round));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return pairs;
}

/** Both drivers live at once and take turns, slice by slice: old new, new old, and so on. */
async function measureWire(workload) {
  const task = { workload, column: 'tincan', pipes: false, sliceMs: 100 };
  const drivers = {};
  for (const [name, folder] of Object.entries(checkouts)) {
    drivers[name] = startDriver(task, join(folder, 'bench/wire'));
    await drivers[name].next();
  }
  const costs = { old: [], new: [] };
  const warm = Number(values.warm);
  for (let slice = 0; slice < 8 + warm; slice += 1) {
    for (const name of slice % 2 === 0 ? ['old', 'new'] : ['new', 'old']) {
      drivers[name].ask();
      const { cpuUs, messages, elapsedMs } = await drivers[name].next();
      if (slice < warm) continue;
      costs[name].push({
        cpu: (cpuUs.client + cpuUs.server) / messages,
        time: elapsedMs / messages,
      });
    }
  }
  for (const driver of Object.values(drivers)) await driver.end();
  return { cpu: ratioOf(costs, 'cpu'), time: ratioOf(costs, 'time') };
}

async function compareMemory() {
  const root = mkdtempSync(join(tmpdir(), 'tincan-compare-'));
  try {
    const notes = Array.from({ length: Number(values.size) }, makeNote);
    for (const name of Object.keys(checkouts)) fill(name, join(root, name), notes);
    const both = await inRounds(() => measureMemory(root, notes));
    for (const kind of MEMORY.filter((name) => chosen.includes(name))) {
      rows.push(
        rowOf(
          `memory ${kind}`,
          both.map((pair) => pair[kind]),
        ),
      );
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function serverOf(name) {
  return {
    program: memoryProgram(checkouts[name]),
    env: (folder) => ({ TINCAN_HOME: folder, TINCAN_EMBEDDER_PROVIDER: 'local' }),
  };
}

/** Where a checkout has the memory program; checkouts without `bin/` built it to `dist/`. */
function memoryProgram(checkout) {
  const program = join(checkout, 'packages/memory/bin/tincan-memory.js');
  return existsSync(program) ? program : join(checkout, 'packages/memory/dist/main.cjs');
}

function fill(name, folder, notes) {
  mkdirSync(folder);
  const { program, env } = serverOf(name);
  const { status } = spawnSync(process.execPath, [program, 'import'], {
    input: notes
      .map((note) => JSON.stringify({ kind: 'note', projectId: 'bench', ...note }))
      .join('\n'),
    env: { ...process.env, ...env(folder) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`could not fill the memory of the ${name} checkout`);
}

/** Both servers live at once; each slice asks the same of one, then of the other. */
async function measureMemory(root, notes) {
  const servers = {};
  for (const name of Object.keys(checkouts)) {
    servers[name] = start(serverOf(name), join(root, name));
    await servers[name].handshake();
  }
  const costs = { search: { old: [], new: [] }, add: { old: [], new: [] } };
  const slices = 6;
  const calls = Math.ceil(Number(values.calls) / slices);
  for (let slice = -1; slice < slices; slice += 1) {
    const queries = Array.from({ length: calls }, (_, i) =>
      makeQuery(notes[(i * 7919) % notes.length]),
    );
    const fresh = Array.from({ length: calls }, makeNote);
    for (const name of slice % 2 === 0 ? ['old', 'new'] : ['new', 'old']) {
      for (const [kind, requests] of [
        ['search', queries.map((query) => ['memory_search', { projectId: 'bench', query }])],
        ['add', fresh.map((note) => ['memory_add_note', { projectId: 'bench', ...note }])],
      ]) {
        const cost = await costOf(servers[name], requests);
        // The first slice warms up.
        if (slice >= 0) costs[kind][name].push(cost);
      }
    }
  }
  for (const server of Object.values(servers)) await server.end();
  return Object.fromEntries(
    MEMORY.map((kind) => [
      kind,
      { cpu: ratioOf(costs[kind], 'cpu'), time: ratioOf(costs[kind], 'time') },
    ]),
  );
}

async function costOf({ pid, request }, requests) {
  const [cpuBefore, begun] = [cpuMs(pid), performance.now()];
  for (const [name, args] of requests) await request('tools/call', { name, arguments: args });
  return { cpu: cpuMs(pid) - cpuBefore, time: performance.now() - begun };
}

function ratioOf(costs, kind) {
  const total = (samples) => samples.reduce((sum, sample) => sum + sample[kind], 0);
  return total(costs.new) / total(costs.old);
}

function rowOf(work, pairs) {
  const row = { work };
  for (const kind of ['cpu', 'time']) {
    const { mean, low, high } = intervalOf(pairs.map((pair) => pair[kind]));
    row[kind] = `${mean.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
    row[`${kind} verdict`] = verdictOf(low, high);
  }
  return row;
}

function verdictOf(low, high) {
  if (high <= TOLERATED) return 'no worse';
  return low > TOLERATED ? 'worse' : 'undecided';
}

/** The geometric mean of paired ratios with its 95 % interval (Student's t on their logarithms). */
function intervalOf(ratios) {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = studentT(logs.length - 1) * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

/** The 97.5 % quantile; a series in 1/n that is exact to three digits from 8 degrees of freedom on. */
function studentT(n) {
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2);
}
