import { quantize } from '../../kernel/quantize.ts';
import { codeStride } from '../../kernel/scan-kernel.ts';
import { BLOCK_ROWS, type CodeBlock } from '../../search/vector-index.ts';
import type { NotePlace } from './notes.ts';
import type { Statements } from './statements.ts';

/** One change of a note's vector; without one it was removed. */
export interface VectorChange {
  readonly change: number;
  readonly note: number;
  readonly vector: Float32Array | undefined;
}

interface VectorRow {
  readonly change: number;
  readonly note: number;
  readonly data: Uint8Array | null;
}

/** Stores a note's vector and takes the note off the list of waiting ones. */
export function writeVector(
  sql: Statements,
  space: number,
  { seq, project }: NotePlace,
  vector: Float32Array,
): void {
  recordChange(sql, space, { seq, project }, bytesOf(vector));
  sql.run('DELETE FROM pending WHERE space = ? AND note = ?', space, seq);
  foldCodes(sql, space, project);
}

/** Forgets the vectors of a removed note in every space; a row without data tells readers so. */
export function eraseVectors(sql: Statements, place: NotePlace): void {
  const rows = sql.all<{ space: number }>(
    'SELECT space FROM vector WHERE note = ? AND space IN (SELECT id FROM space)',
    place.seq,
  );
  for (const { space } of rows) recordChange(sql, space, place, null);
  sql.run('DELETE FROM pending WHERE note = ? AND space IN (SELECT id FROM space)', place.seq);
}

/** Blots a note out of the codes of every space: a row of scale 0 reads as removed. */
export function eraseCodes(sql: Statements, { seq, project }: NotePlace): void {
  const blocks = sql.all<{ id: number; notes: Uint8Array }>(
    'SELECT id, notes FROM code_block WHERE project = ? AND space IN (SELECT id FROM space)',
    project,
  );
  for (const { id, notes } of blocks) {
    const held = new Float64Array(copyOf(notes));
    if (!held.includes(seq)) continue;
    const block = sql.get<{ scales: Uint8Array; codes: Uint8Array }>(
      'SELECT scales, codes FROM code_block WHERE id = ?',
      id,
    );
    if (block === undefined) continue;
    const scales = new Float32Array(copyOf(block.scales));
    const stride = block.codes.byteLength / scales.length;
    for (const [row, note] of held.entries()) {
      if (note !== seq) continue;
      scales[row] = 0;
      block.codes.fill(0, row * stride, (row + 1) * stride);
    }
    sql.run(
      'UPDATE code_block SET scales = ?, codes = ? WHERE id = ?',
      bytesOf(scales),
      block.codes,
      id,
    );
  }
}

/** The exact vector of a note. */
export function readVector(sql: Statements, space: number, note: number): Float32Array | undefined {
  const row = sql.get<{ data: Uint8Array | null }>(
    'SELECT data FROM vector WHERE space = ? AND note = ?',
    space,
    note,
  );
  return row?.data ? floatsOf(row.data) : undefined;
}

/** The number of the last change anywhere: equal numbers mean nothing new. */
export function lastChange(sql: Statements): number {
  return (
    sql.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'vector'")?.seq ?? 0
  );
}

/** Changes of a project after one already seen, oldest first. */
export function changesAfter(
  sql: Statements,
  { space, project, after }: { space: number; project: number; after: number },
): VectorChange[] {
  return sql
    .all<VectorRow>(
      'SELECT change, note, data FROM vector WHERE space = ? AND project = ? AND change > ? ORDER BY change',
      space,
      project,
      after,
    )
    .map(({ change, note, data }) => ({
      change,
      note,
      vector: data === null ? undefined : floatsOf(data),
    }));
}

/** A stored block and the change it reaches to. */
export interface StoredBlock extends CodeBlock {
  readonly id: number;
  readonly through: number;
}

/** Blocks of a project that reach beyond a change already seen, oldest first. */
export function blocksAfter(
  sql: Statements,
  { space, project, after }: { space: number; project: number; after: number },
): StoredBlock[] {
  return sql
    .all<{ id: number; through: number; notes: Uint8Array; scales: Uint8Array; codes: Uint8Array }>(
      `SELECT id, through, notes, scales, codes FROM code_block
       WHERE space = ? AND project = ? AND through > ? ORDER BY through`,
      space,
      project,
      after,
    )
    .map(({ id, through, notes, scales, codes }) => ({
      id,
      through,
      notes: new Float64Array(copyOf(notes)),
      scales: new Float32Array(copyOf(scales)),
      codes: new Int8Array(copyOf(codes)),
    }));
}

/** Identity of a project's first block: another one means the blocks were made anew. */
export function firstBlock(sql: Statements, space: number, project: number): number {
  const row = sql.get<{ id: number | null }>(
    'SELECT min(id) AS id FROM code_block WHERE space = ? AND project = ?',
    space,
    project,
  );
  return row?.id ?? 0;
}

function recordChange(
  sql: Statements,
  space: number,
  { seq, project }: NotePlace,
  data: Uint8Array | null,
): void {
  sql.run(
    'INSERT OR REPLACE INTO vector (space, project, note, data) VALUES (?, ?, ?, ?)',
    space,
    project,
    seq,
    data,
  );
}

/** Once enough changes have gathered behind the last block they become a block themselves. */
function foldCodes(sql: Statements, space: number, project: number): void {
  const after =
    sql.get<{ through: number | null }>(
      'SELECT max(through) AS through FROM code_block WHERE space = ? AND project = ?',
      space,
      project,
    )?.through ?? 0;
  const waiting = sql.get<{ n: number }>(
    'SELECT count(*) AS n FROM vector WHERE space = ? AND project = ? AND change > ?',
    space,
    project,
    after,
  );
  if ((waiting?.n ?? 0) < BLOCK_ROWS) return;
  if (isMostlyStale(sql, space, project)) {
    sql.run('DELETE FROM code_block WHERE space = ? AND project = ?', space, project);
    sql.run('DELETE FROM vector WHERE space = ? AND project = ? AND data IS NULL', space, project);
    writeBlocks(sql, { space, project, after: 0 });
  } else {
    writeBlocks(sql, { space, project, after });
  }
}

/** Rewritten notes leave their old rows behind in blocks: past one in two the blocks are made anew. */
function isMostlyStale(sql: Statements, space: number, project: number): boolean {
  const rows = sql.get<{ n: number }>(
    'SELECT count(*) AS n FROM code_block WHERE space = ? AND project = ?',
    space,
    project,
  );
  const live = sql.get<{ n: number }>(
    'SELECT count(*) AS n FROM vector WHERE space = ? AND project = ?',
    space,
    project,
  );
  return (rows?.n ?? 0) * BLOCK_ROWS > 2 * (live?.n ?? 0) + BLOCK_ROWS;
}

function writeBlocks(
  sql: Statements,
  { space, project, after }: { space: number; project: number; after: number },
): void {
  const changes = changesAfter(sql, { space, project, after });
  for (let start = 0; start + BLOCK_ROWS <= changes.length; start += BLOCK_ROWS) {
    insertBlock(sql, { space, project, rows: changes.slice(start, start + BLOCK_ROWS) });
  }
}

function insertBlock(
  sql: Statements,
  { space, project, rows }: { space: number; project: number; rows: readonly VectorChange[] },
): void {
  const dim = rows.find((row) => row.vector !== undefined)?.vector?.length ?? 0;
  const stride = codeStride(dim);
  const notes = new Float64Array(rows.length);
  const scales = new Float32Array(rows.length);
  const codes = new Int8Array(rows.length * stride);
  for (const [index, { note, vector }] of rows.entries()) {
    notes[index] = note;
    if (vector === undefined) continue;
    const code = quantize(vector, stride);
    scales[index] = code.scale;
    codes.set(code.values, index * stride);
  }
  sql.run(
    `INSERT INTO code_block (space, project, through, notes, scales, codes) VALUES (?, ?, ?, ?, ?, ?)`,
    space,
    project,
    rows.at(-1)?.change ?? 0,
    bytesOf(notes),
    bytesOf(scales),
    bytesOf(codes),
  );
}

function bytesOf(numbers: Float32Array | Float64Array | Int8Array): Uint8Array {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function floatsOf(data: Uint8Array): Float32Array {
  if (data.byteOffset % 4 !== 0) return new Float32Array(copyOf(data));
  return new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}

/** A database buffer may start at any address; number arrays need theirs aligned. */
function copyOf(data: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(data.byteLength);
  new Uint8Array(copy).set(data);
  return copy;
}
