import { MemoryError } from '../../errors.ts';
import type { Connection } from './driver.ts';
import { APPLICATION_ID } from './empty-database.ts';
import { SCHEMA_1 } from './schema-1.ts';
import { toVersion2 } from './schema-2.ts';
import { toVersion3 } from './schema-3.ts';

/** Each brings the tables from the version of its place to the next; a file of 0 is empty. */
const STEPS: readonly ((db: Connection) => void)[] = [
  (db) => db.exec(SCHEMA_1),
  toVersion2,
  toVersion3,
];

/** Raised with every change of the tables; a newer store than this is refused, an older one brought up. */
const SCHEMA_VERSION = STEPS.length;

/** Refuses the database of another program, or of a newer version, before anything of it is changed. */
export function assertKnownSchema(db: Connection): void {
  // Of one moment: another process may be making the tables.
  const { version, id, isNew } = inOneTransaction(db, 'BEGIN', () => {
    const found = schemaVersion(db);
    const mark = Number(db.pragma('application_id'));
    const isOurs = mark === 0 || mark === APPLICATION_ID;
    return { version: found, id: mark, isNew: found === 0 && isOurs && !hasTables(db) };
  });
  if (!isNew && (version === 0 || id !== APPLICATION_ID)) throw foreign(version);
  if (version > SCHEMA_VERSION) throw tooNew(version);
}

/** Refuses a file that is not a backup of a store, or is one of a newer version. */
export function assertBackupSchema(db: Connection, file: string): void {
  const version = schemaVersion(db);
  const id = Number(db.pragma('application_id'));
  const data = { path: file, version };
  if (version === 0 || id !== APPLICATION_ID) {
    const message = `expected a backup of a tincan memory, \`${file}\` is a database of another program`;
    throw new MemoryError('STORE_FOREIGN', message, { data });
  }
  if (version > SCHEMA_VERSION) {
    const message = `\`${file}\` has schema version ${version}, this program knows up to ${SCHEMA_VERSION}: update it`;
    throw new MemoryError('STORE_TOO_NEW', message, { data });
  }
}

/** Brings the tables to this version in one transaction: no other process can see it half done. */
export function migrate(db: Connection): void {
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  inOneTransaction(db, 'BEGIN IMMEDIATE', () => takeSteps(db));
}

/** Runs work in a transaction, or in the one that is open. */
function inOneTransaction<T>(db: Connection, begin: string, work: () => T): T {
  if (db.inTransaction) return work();
  db.exec(begin);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function takeSteps(db: Connection): void {
  // Another process may have been first.
  const version = schemaVersion(db);
  if (version === SCHEMA_VERSION) return;
  assertKnownSchema(db);
  for (const step of STEPS.slice(version)) step(db);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

function schemaVersion(db: Connection): number {
  return Number(db.pragma('user_version'));
}

function hasTables(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

function foreign(version: number): MemoryError {
  return new MemoryError(
    'STORE_FOREIGN',
    'the file is a database of another program; it was left as it is. Set `store.path` to another file',
    { data: { version } },
  );
}

function tooNew(version: number): MemoryError {
  return new MemoryError(
    'STORE_TOO_NEW',
    `the store has schema version ${version}, this program knows up to ${SCHEMA_VERSION}: update it`,
    { data: { version } },
  );
}
