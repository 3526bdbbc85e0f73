import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countMissing, moment, openMemory, startWriter } from './durability-parts.mjs';
import { backups, lostFiles } from './lost-files.mjs';

/**
 * Breaks the promise "acknowledged means durable" as hard as it can: writers are killed at random
 * moments, many write at once, and the files of the store are moved, removed and replaced under them.
 * Exits with 1 when a single acknowledged note is missing, or when an error does not say what happened.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    processes: { type: 'string', default: '10' },
    writes: { type: 'string', default: '500' },
    losses: { type: 'string', default: '20' },
    backups: { type: 'string', default: '20' },
  },
});

async function killRounds(home, rounds) {
  const report = { rounds, acknowledged: 0, missing: 0, problems: 0, failures: [] };
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const { child, acknowledged, begun, ended } = startWriter(home, 100_000);
    await begun;
    await moment(120);
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
  const lost = await lostFiles(join(folder, 'lost'), Number(values.losses));
  const saved = await backups(join(folder, 'backups'), Number(values.backups));
  const isSound =
    Object.values(lost).every(
      ({ missing, missingInNamed, unclear }) =>
        missing === 0 && missingInNamed === 0 && unclear.length === 0,
    ) &&
    saved.missing === 0 &&
    saved.problems === 0 &&
    kills.missing === 0 &&
    kills.problems === 0 &&
    kills.failures.length === 0 &&
    kills.vectors === kills.notes &&
    many.missing === 0 &&
    many.failed === 0 &&
    many.problems === 0 &&
    many.notes === many.processes * many.writes;
  process.stdout.write(`${JSON.stringify({ kills, many, lost, saved, isSound }, null, 2)}\n`);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
