import { MemoryError } from '../../errors.ts';
import type { Connection } from './driver.ts';
import { THREAD } from './threads.ts';

/** Raised with every change of the tables; a newer store than this is refused, an older one brought up. */
const SCHEMA_VERSION = 1;

/** Marks the file as ours: `tinc` in ASCII. */
const APPLICATION_ID = 0x74696e63;

const SCHEMA = `
CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  notes INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE note (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project INTEGER NOT NULL REFERENCES project(id),
  group_id TEXT NOT NULL,
  title TEXT,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  source TEXT,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1,
  tokens INTEGER NOT NULL
);
CREATE INDEX note_recent ON note(project, created_at);
CREATE INDEX note_group ON note(project, group_id, created_at);
CREATE INDEX note_thread ON note(project, ${THREAD}, created_at);
CREATE VIRTUAL TABLE note_text USING fts5(
  scope, title, text, tags, content='', contentless_delete=1, tokenize='ascii'
);
CREATE VIRTUAL TABLE note_term USING fts5vocab('note_text', 'row');
CREATE TABLE project_group (
  id TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id),
  group_key TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project, group_key)
);
CREATE TABLE global_value (
  id TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project, key)
);
CREATE TABLE space (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dim INTEGER NOT NULL,
  base_url TEXT,
  opened INTEGER NOT NULL,
  UNIQUE (provider, model, dim)
);
-- A new row for every change, so that \`change\` tells a reader what it has not seen. No data: removed.
CREATE TABLE vector (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  space INTEGER NOT NULL REFERENCES space(id),
  project INTEGER NOT NULL,
  note INTEGER NOT NULL,
  data BLOB
);
CREATE UNIQUE INDEX vector_note ON vector(space, note);
CREATE INDEX vector_project ON vector(space, project);
-- Codes of 1,000 changes each; what came after \`through\` is read from \`vector\`.
CREATE TABLE code_block (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  space INTEGER NOT NULL REFERENCES space(id),
  project INTEGER NOT NULL,
  through INTEGER NOT NULL,
  notes BLOB NOT NULL,
  scales BLOB NOT NULL,
  codes BLOB NOT NULL
);
CREATE INDEX code_block_project ON code_block(space, project, through);
CREATE TABLE pending (
  space INTEGER NOT NULL,
  note INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (space, note)
) WITHOUT ROWID;
`;

/** Brings the tables to this version in one step that no other process can see half done. */
export function migrate(db: Connection): void {
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  db.transaction(() => {
    // Another process may have been first.
    const version = schemaVersion(db);
    if (version === SCHEMA_VERSION) return;
    if (version !== 0 || hasTables(db)) throw unknownSchema(version);
    db.exec(SCHEMA);
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

function unknownSchema(version: number): MemoryError {
  const message =
    version > SCHEMA_VERSION
      ? `the store has schema version ${version}, this program knows up to ${SCHEMA_VERSION}: update it`
      : 'the file is a database of another program; it was left as it is';
  return new MemoryError('STORE_TOO_NEW', message, { data: { version } });
}
