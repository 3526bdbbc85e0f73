/** The tables of the first version, as they are in the files it made. */
export const SCHEMA_1 = `
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
