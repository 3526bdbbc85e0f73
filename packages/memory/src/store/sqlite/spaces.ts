import type { PendingNote, Space, SpaceName, SpaceProgress } from '../space.ts';
import type { Statements } from './statements.ts';

/** The space in use and the one before it: a way back that costs nothing, and a bound on the file. */
const SPACES_KEPT = 2;

const SELECT = 'SELECT id, provider, model, dim, base_url AS baseUrl FROM space';

/** Finds or makes a space. A new one has every note pending; the oldest beyond two is dropped. */
export function ensureSpace(
  sql: Statements,
  name: SpaceName & { readonly baseUrl: string | null },
): Space {
  const newest = 'SELECT coalesce(max(opened), 0) + 1 FROM space';
  const known = sql.get<Space>(
    `${SELECT} WHERE provider = ? AND model = ? AND dim = ?`,
    name.provider,
    name.model,
    name.dim,
  );
  if (known !== undefined) {
    sql.run(
      `UPDATE space SET base_url = ?, opened = (${newest}) WHERE id = ?`,
      name.baseUrl,
      known.id,
    );
    return { ...known, baseUrl: name.baseUrl };
  }
  const id = sql.insert(
    `INSERT INTO space (provider, model, dim, base_url, opened) VALUES (?, ?, ?, ?, (${newest}))`,
    name.provider,
    name.model,
    name.dim,
    name.baseUrl,
  );
  sql.run('INSERT INTO pending (space, note) SELECT ?, seq FROM note', id);
  for (const old of spaceIds(sql).slice(SPACES_KEPT)) dropSpace(sql, old);
  return { id, ...name };
}

/** Whether opening a space would write: the common case, where it is the newest already, does not. */
export function findNewestSpace(sql: Statements): Space | undefined {
  return sql.get<Space>(`${SELECT} ORDER BY opened DESC LIMIT 1`);
}

/** Newest first. */
function spaceIds(sql: Statements): number[] {
  return sql.all<{ id: number }>('SELECT id FROM space ORDER BY opened DESC').map((row) => row.id);
}

/** How far each space is filled, newest first. */
export function spaceProgress(sql: Statements): SpaceProgress[] {
  return sql.all<Space>(`${SELECT} ORDER BY opened DESC`).map((space) => ({
    space,
    vectors: count(
      sql,
      'SELECT count(*) AS n FROM vector WHERE space = ? AND data IS NOT NULL',
      space.id,
    ),
    pending: countPending(sql, space.id),
  }));
}

/** Notes of a space that wait for a vector. */
export function countPending(sql: Statements, space: number): number {
  return count(sql, 'SELECT count(*) AS n FROM pending WHERE space = ?', space);
}

/** Whether any waiting note is in nobody's hands. */
export function hasClaimable(sql: Statements, space: number, now: number): boolean {
  const query = 'SELECT 1 FROM pending WHERE space = ? AND claimed_until <= ? LIMIT 1';
  return sql.get(query, space, now) !== undefined;
}

/** Puts a note on every space's list; the writer's own claim keeps other processes off. */
export function markPending(sql: Statements, note: number, claimedUntil: number): void {
  sql.run(
    `INSERT INTO pending (space, note, claimed_until) SELECT id, ?, ? FROM space WHERE true
     ON CONFLICT (space, note) DO UPDATE SET claimed_until = excluded.claimed_until`,
    note,
    claimedUntil,
  );
}

/** Makes every note of a space pending again, and free for anyone. */
export function markAllPending(sql: Statements, space: number): void {
  sql.run(
    `INSERT INTO pending (space, note) SELECT ?, seq FROM note WHERE true
     ON CONFLICT (space, note) DO UPDATE SET claimed_until = 0`,
    space,
  );
}

/** Takes waiting notes that nobody else is working on. */
export function claim(
  sql: Statements,
  space: number,
  { limit, now, claimMs }: { limit: number; now: number; claimMs: number },
): PendingNote[] {
  const rows = sql.all<PendingNote & { readonly seq: number }>(
    `SELECT note.seq, note.id, note.revision, note.title, note.text FROM pending
     JOIN note ON note.seq = pending.note
     WHERE pending.space = ? AND pending.claimed_until <= ? ORDER BY pending.note LIMIT ?`,
    space,
    now,
    limit,
  );
  for (const { seq } of rows) {
    sql.run(
      'UPDATE pending SET claimed_until = ? WHERE space = ? AND note = ?',
      now + claimMs,
      space,
      seq,
    );
  }
  return rows.map(({ seq: _, ...note }) => note);
}

function dropSpace(sql: Statements, id: number): void {
  for (const table of ['vector', 'code_block', 'pending']) {
    sql.run(`DELETE FROM ${table} WHERE space = ?`, id);
  }
  sql.run('DELETE FROM space WHERE id = ?', id);
}

function count(sql: Statements, query: string, space: number): number {
  return sql.get<{ n: number }>(query, space)?.n ?? 0;
}
