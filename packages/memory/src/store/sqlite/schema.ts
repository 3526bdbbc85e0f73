import { MemoryError } from '../../errors.ts';
import type { Connection } from './driver.ts';
import { SCHEMA_1 } from './schema-1.ts';
import { toVersion2 } from './schema-2.ts';

/** Marks the file as ours: `tinc` in ASCII. */
const APPLICATION_ID = 0x74696e63;

/** Each brings the tables from the version of its place to the next; a file of 0 is empty. */
const STEPS: readonly ((db: Connection) => void)[] = [(db) => db.exec(SCHEMA_1), toVersion2];

/** Raised with every change of the tables; a newer store than this is refused, an older one brought up. */
const SCHEMA_VERSION = STEPS.length;

/** Brings the tables to this version in one transaction: no other process can see it half done. */
export function migrate(db: Connection): void {
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  db.transaction(() => {
    // Another process may have been first.
    const version = schemaVersion(db);
    if (version === SCHEMA_VERSION) return;
    const isKnown = version === 0 ? !hasTables(db) : version < SCHEMA_VERSION && isOurs(db);
    if (!isKnown) throw unknownSchema(version);
    for (const step of STEPS.slice(version)) step(db);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}

function schemaVersion(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function hasTables(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

function isOurs(db: Connection): boolean {
  return Number(db.pragma('application_id', { simple: true })) === APPLICATION_ID;
}

function unknownSchema(version: number): MemoryError {
  const message =
    version > SCHEMA_VERSION
      ? `the store has schema version ${version}, this program knows up to ${SCHEMA_VERSION}: update it`
      : 'the file is a database of another program; it was left as it is';
  return new MemoryError('STORE_TOO_NEW', message, { data: { version } });
}
