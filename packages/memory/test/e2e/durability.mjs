import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callMethod, loadSettings, Memory } from '../../dist/index.js';

/**
 * Breaks the promise "acknowledged means durable" as hard as it can: writers are killed at random
 * moments, and many write at once. Exits with 1 when a single acknowledged note is missing.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    processes: { type: 'string', default: '10' },
    writes: { type: 'string', default: '500' },
  },
});

const writer = fileURLToPath(new URL('./writer.mjs', import.meta.url));

/** Starts a writer; `acknowledged` fills while it runs. */
function startWriter(home, count) {
  const child = spawn(process.execPath, [writer, home, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acknowledged = [];
  let rest = '';
  let errors = '';
  const begun = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      acknowledged.push(...lines);
      resolve();
    });
    child.on('exit', resolve);
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, errors }));
  });
  return { child, acknowledged, begun, ended };
}

async function openMemory(home) {
  return new Memory({ settings: await loadSettings({ env: { TINCAN_HOME: home } }) });
}

/** How many of some notes the store no longer has. */
async function countMissing(memory, ids) {
  let missing = 0;
  for (const id of ids) {
    await callMethod(memory, 'memory.get', { id }).catch(() => {
      missing += 1;
    });
  }
  return missing;
}

async function killRounds(home, rounds) {
  const report = { rounds, acknowledged: 0, missing: 0, problems: 0, failures: [] };
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const { child, acknowledged, begun, ended } = startWriter(home, 100_000);
    await begun;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
    child.kill('SIGKILL');
    const { errors } = await ended;
    if (errors !== '') report.failures.push(errors.slice(0, 500));
    const memory = await openMemory(home);
    report.missing += await countMissing(memory, acknowledged);
    all.push(...acknowledged);
    await memory.close();
  }
  const memory = await openMemory(home);
  report.acknowledged = all.length;
  report.missing += await countMissing(memory, all);
  report.problems = (await memory.check()).length;
  // What was killed between the write and the vector is embedded now.
  await memory.reindex({ all: true });
  const status = await memory.status();
  report.notes = status.notes;
  report.vectors = status.spaces[0]?.vectors;
  await memory.close();
  return report;
}

async function manyWriters(home, processes, writes) {
  const writers = Array.from({ length: processes }, () => startWriter(home, writes));
  const ends = await Promise.all(writers.map(({ ended }) => ended));
  const ids = writers.flatMap(({ acknowledged }) => acknowledged);
  const memory = await openMemory(home);
  const report = {
    processes,
    writes,
    acknowledged: ids.length,
    missing: await countMissing(memory, ids),
    failed: ends.filter(({ code, errors }) => code !== 0 || errors !== '').length,
    failures: ends.map(({ errors }) => errors.slice(0, 500)).filter((text) => text !== ''),
    problems: (await memory.check()).length,
    notes: (await memory.status()).notes,
  };
  await memory.close();
  return report;
}

const folder = await mkdtemp(join(tmpdir(), 'tincan-durability-'));
try {
  const kills = await killRounds(join(folder, 'kills'), Number(values.rounds));
  const many = await manyWriters(
    join(folder, 'many'),
    Number(values.processes),
    Number(values.writes),
  );
  const isSound =
    kills.missing === 0 &&
    kills.problems === 0 &&
    kills.failures.length === 0 &&
    kills.vectors === kills.notes &&
    many.missing === 0 &&
    many.failed === 0 &&
    many.problems === 0 &&
    many.notes === many.processes * many.writes;
  process.stdout.write(`${JSON.stringify({ kills, many, isSound }, null, 2)}\n`);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
