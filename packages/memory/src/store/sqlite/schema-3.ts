import type { Connection } from './driver.ts';

/** Values get revisions, erased notes leave a tombstone, and a project can have former names. */
const TABLES = `
ALTER TABLE global_value ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
-- An erased note leaves its id and the time, nothing else, so that an import does not bring it back.
CREATE TABLE erased (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;
-- A former name of a project. A name that held a secret is stored as its SHA-256, in hexadecimal.
CREATE TABLE project_alias (
  alias TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id)
) WITHOUT ROWID;
`;

export function toVersion3(db: Connection): void {
  db.exec(TABLES);
}
