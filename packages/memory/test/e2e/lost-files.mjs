import { execFile } from 'node:child_process';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { moment, openMemory, startWriter } from './durability-parts.mjs';

const WRITERS = 3;
const main = fileURLToPath(new URL('../../bin/tincan-memory.js', import.meta.url));
const run = promisify(execFile);

/** What may happen to the files of a store while processes write to it. */
const HAPPENINGS = {
  moved: ({ store, home }) => rename(store, join(home, 'elsewhere.db')),
  removed: ({ store }) => rm(store),
  replaced: ({ store, other }) => rename(other, store),
  logRemoved: ({ store }) => rm(`${store}-wal`),
  sharedMemoryRemoved: ({ store }) => rm(`${store}-shm`),
  folderRemoved: ({ folder }) => run('rm', ['-rf', folder]).catch(() => undefined),
  folderMoved: ({ folder, home }) => rename(folder, join(home, 'elsewhere')),
};

/** Each happening, some rounds of it, under three writers. */
export async function lostFiles(root, rounds) {
  const reports = {};
  for (const [name, happen] of Object.entries(HAPPENINGS)) {
    const report = { rounds, acknowledged: 0, missing: 0, missingInNamed: 0, unclear: [] };
    reports[name] = report;
    for (let round = 0; round < rounds; round += 1) {
      await loseFiles(join(root, `${name}-${round}`), happen, report);
    }
  }
  return reports;
}

async function loseFiles(home, happen, report) {
  const folder = join(home, 'data');
  const store = join(folder, 'memory.db');
  const other = await otherStore(home);
  const writers = Array.from({ length: WRITERS }, () => startWriter(home, 100_000));
  await Promise.all(writers.map(({ begun }) => begun));
  await moment(60);
  await happen({ home, folder, store, other });
  const ends = await Promise.all(writers.map(({ ended }) => ended));
  const files = await notesByFile(home);
  const everywhere = new Set([...files.values()].flatMap((ids) => [...ids]));
  for (const [index, { errors }] of ends.entries()) {
    const { acknowledged } = writers[index];
    const failure = readFailure(errors);
    // Where no copy was needed the error names the store itself.
    const named = files.get(failure?.data?.copy ?? failure?.data?.path) ?? new Set();
    report.acknowledged += acknowledged.length;
    report.missing += acknowledged.filter((id) => !everywhere.has(id)).length;
    report.missingInNamed += acknowledged.filter((id) => !named.has(id)).length;
    if (!isClear(failure)) report.unclear.push(errors.slice(0, 500));
  }
}

/** A clear error: the code of its own, and the same from every call that follows. */
function isClear(failure) {
  const codes = [failure?.data?.code, ...(failure?.afterwards ?? ['none'])];
  return codes.every((code) => code === 'STORE_MOVED');
}

function readFailure(errors) {
  try {
    return JSON.parse(errors.split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** A sound store of its own, to take the place of the one that is written. */
async function otherStore(home) {
  const memory = await openMemory(join(home, 'other'));
  await memory.check();
  await memory.close();
  return join(home, 'other', 'data', 'memory.db');
}

/** Ids of the notes in every database that a person can find below a folder. */
async function notesByFile(home) {
  const found = new Map();
  for (const name of await readdir(home, { recursive: true })) {
    const path = join(home, name);
    if (/-(wal|shm|journal)$|\.of-/.test(name) || !(await stat(path)).isFile()) continue;
    found.set(path, notesIn(path));
  }
  return found;
}

/** With Node's own SQLite where it has one: `better-sqlite3` may be built for another Node. */
function openDatabase(path, readOnly = false) {
  const own = process.getBuiltinModule('node:sqlite');
  if (own !== undefined) return new own.DatabaseSync(path, { readOnly });
  const Database = createRequire(import.meta.url)('better-sqlite3');
  return new Database(path, { readonly: readOnly });
}

function notesIn(path) {
  const db = openDatabase(path);
  try {
    return new Set(
      db
        .prepare('SELECT id FROM note')
        .all()
        .map(({ id }) => id),
    );
  } catch {
    return new Set();
  } finally {
    db.close();
  }
}

/** Backups under three writers: each must hold all that was acknowledged before it began. */
export async function backups(home, count) {
  const report = { backups: count, acknowledged: 0, missing: 0, problems: 0 };
  const writers = Array.from({ length: WRITERS }, () => startWriter(home, 100_000));
  await Promise.all(writers.map(({ begun }) => begun));
  for (let index = 0; index < count; index += 1) {
    await moment(100);
    const before = writers.flatMap(({ acknowledged }) => acknowledged);
    const file = join(home, `backup-${index}`);
    await run(process.execPath, [main, 'backup', file], {
      env: { ...process.env, TINCAN_HOME: home },
    });
    const db = openDatabase(file, true);
    const { integrity_check: verdict } = db.prepare('PRAGMA integrity_check').get();
    if (verdict !== 'ok') report.problems += 1;
    db.close();
    const ids = notesIn(file);
    report.missing += before.filter((id) => !ids.has(id)).length;
  }
  for (const { child } of writers) child.kill('SIGKILL');
  await Promise.all(writers.map(({ ended }) => ended));
  report.acknowledged = writers.flatMap(({ acknowledged }) => acknowledged).length;
  return report;
}
