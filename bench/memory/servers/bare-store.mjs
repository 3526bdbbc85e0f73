// The same SQLite with the same settings and nothing around it: a table, a word index, a line of JSON each way.
// The driver is Node's own where it has one, as it is for the memory.
const own = process.getBuiltinModule('node:sqlite');
const Database = own?.DatabaseSync ?? (await import('better-sqlite3')).default;

const db = new Database(process.env.STORE_FILE);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000');
db.exec(`
  CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT, text TEXT, tags TEXT);
  CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(title, text, content = 'note', content_rowid = 'id');
`);
const insertNote = db.prepare('INSERT INTO note (title, text, tags) VALUES (?, ?, ?)');
const insertWords = db.prepare('INSERT INTO word (rowid, title, text) VALUES (?, ?, ?)');
const find = db.prepare(`
  SELECT note.* FROM word JOIN note ON note.id = word.rowid WHERE word MATCH ? ORDER BY rank LIMIT 5`);

function insert({ title, text, tags }) {
  const { lastInsertRowid } = insertNote.run(title, text, JSON.stringify(tags));
  insertWords.run(lastInsertRowid, title, text);
  return { id: Number(lastInsertRowid) };
}

function inTransaction(work) {
  db.exec('BEGIN IMMEDIATE');
  const result = work();
  db.exec('COMMIT');
  return result;
}

const methods = {
  initialize: () => ({}),
  add: (note) => inTransaction(() => insert(note)),
  fill: (notes) => inTransaction(() => notes.map(insert).length),
  search: ({ query }) =>
    find.all(
      query
        .split(' ')
        .map((word) => `"${word}"`)
        .join(' OR '),
    ),
};

let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: methods[method](params) })}\n`,
    );
  }
});
