import type { Metadata } from '../note.ts';
import { textDigest } from '../same-text.ts';
import type { Connection } from './driver.ts';
import { Statements } from './statements.ts';
import { linkSuperseded } from './superseded.ts';
import { THREAD } from './threads.ts';

/** The newest version of a note is its row in `note`; what it was before, and what is deleted, is in `note_version`. */
const TABLES = `
ALTER TABLE note ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE note ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE note ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE note ADD COLUMN event TEXT NOT NULL DEFAULT 'added';
ALTER TABLE note ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
CREATE TABLE note_version (
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  event TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  project INTEGER NOT NULL REFERENCES project(id),
  group_id TEXT NOT NULL,
  title TEXT,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  source TEXT,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (id, version)
);
-- The note at \`by\` says that the note \`id\` is superseded, whether or not there is one.
CREATE TABLE superseded (
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  by INTEGER NOT NULL,
  PRIMARY KEY (project, id, by)
) WITHOUT ROWID;
CREATE INDEX superseded_by ON superseded(by);
`;

/** Made after the rows are filled: that is cheaper. */
const INDEXES = `
CREATE INDEX note_same ON note(digest, project);
CREATE INDEX note_hidden ON note(project) WHERE hidden = 1;
CREATE INDEX IF NOT EXISTS note_thread ON note(project, ${THREAD}, created_at);
`;

/** Adds history, duplicates and superseding; notes of before have one version, of the time they bear. */
export function toVersion2(db: Connection): void {
  db.exec(TABLES);
  db.defineFunction('text_digest', (text) => textDigest(String(text)));
  db.exec(
    `UPDATE note SET digest = text_digest(text), version = revision, changed_at = created_at,
     event = CASE WHEN revision > 1 THEN 'updated' ELSE 'added' END`,
  );
  db.exec(INDEXES);
  const sql = new Statements(db);
  const linking = sql.all<{ seq: number; project: number; id: string; metadata: string }>(
    `SELECT seq, project, id, metadata FROM note WHERE metadata LIKE '%"supersedes"%'`,
  );
  for (const { id, metadata, ...place } of linking) {
    linkSuperseded(sql, place, { id, metadata: JSON.parse(metadata) as Metadata });
  }
}
