import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';

const folder = makeTempFolder();
let made = 0;

/** An open store with one acknowledged note, in a folder of its own. */
async function openFilled(): Promise<{ store: Store; path: string; id: string }> {
  made += 1;
  const path = join(folder, `${made}`, 'memory.db');
  const store = await openSqliteStore({ path });
  const { id } = await store.addNote(makeNote({ text: 'acknowledged' }));
  return { store, path, id };
}

/** Ids in the copy that an error names. */
function idsIn(file: string): unknown[] {
  const db = connect(file);
  try {
    expect(db.pragma('integrity_check')).toBe('ok');
    return db.prepare('SELECT id FROM note ORDER BY seq', 'column').all();
  } finally {
    db.close();
  }
}

async function failure(work: Promise<unknown>): Promise<{
  readonly code: string;
  readonly message: string;
  readonly data: { readonly copy: string; readonly log?: string };
}> {
  return work.then(
    () => expect.unreachable('acknowledged'),
    (error) => error,
  );
}

const HAPPENINGS: readonly [string, (path: string) => void][] = [
  ['is moved', (path) => renameSync(path, `${path}.elsewhere`)],
  ['is removed', (path) => rmSync(path)],
  [
    'is replaced',
    (path) => {
      const other = connect(`${path}.other`);
      other.exec('CREATE TABLE other (x)');
      other.close();
      renameSync(`${path}.other`, path);
    },
  ],
  ['loses its log', (path) => rmSync(`${path}-wal`)],
  ['loses its folder', (path) => rmSync(dirname(path), { recursive: true })],
  ['is moved with its folder', (path) => renameSync(dirname(path), `${dirname(path)}-elsewhere`)],
];

describe('a store whose file is no longer the one at its path', () => {
  it.each(HAPPENINGS)(
    'acknowledges nothing once it %s, and says where all is',
    async (_, happen) => {
      const { store, path, id } = await openFilled();
      happen(path);
      const first = await failure(store.addNote(makeNote()));
      expect(first).toMatchObject({ code: 'STORE_MOVED', message: expect.stringContaining(path) });
      expect(first.message).toContain('Stop every server');
      expect(first.message).toContain(first.data.copy);
      expect(statSync(first.data.copy).mode & 0o777).toBe(0o600);
      for (const call of [
        store.updateNote(id, { text: 'x' }),
        store.deleteNote(id),
        store.getNote(id),
        store.listNotes({ projectId: '/p' }, 5),
      ]) {
        expect(await failure(call)).toMatchObject({ code: 'STORE_MOVED', data: first.data });
      }
      await store.close();
      expect(idsIn(first.data.copy)).toContain(id);
    },
  );

  it('goes unwritten from the moment it is found moved', async () => {
    const { store, path } = await openFilled();
    renameSync(path, `${path}.elsewhere`);
    const before = readFileSync(`${path}-wal`);
    const late = makeNote();
    const { data } = await failure(store.addNote(late));
    expect(readFileSync(`${path}-wal`)).toEqual(before);
    await store.close();
    expect(idsIn(data.copy)).not.toContain(late.id);
  });

  it('is noticed when it moves between the start of a write and its acknowledgement', async () => {
    const { store, path } = await openFilled();
    const held = makeNote({ text: 'acknowledged' });
    // The duplicate test runs inside the transaction.
    const isDuplicate = (): boolean => {
      renameSync(path, `${path}.elsewhere`);
      return false;
    };
    expect(await failure(store.addNote(held, { isDuplicate }))).toMatchObject({
      code: 'STORE_MOVED',
      data: { copy: expect.stringContaining('.rescued-') },
    });
    await store.close();
  });

  it('is copied once, however many processes have it open', async () => {
    const { store, path, id } = await openFilled();
    const other = await openSqliteStore({ path });
    const { id: theirs } = await other.addNote(makeNote({ text: 'theirs' }));
    rmSync(path);
    const errors = await Promise.all(
      [store, other].map((each) => failure(each.addNote(makeNote()))),
    );
    expect(errors[0]?.data.copy).toBe(errors[1]?.data.copy);
    const names = readdirSync(dirname(path)).filter((name) => name.includes('rescued'));
    expect(names).toHaveLength(1);
    await store.close();
    await other.close();
    expect(idsIn(errors[0]?.data.copy ?? '')).toEqual([id, theirs]);
  });

  it('keeps its log from being read into the file that took its place', async () => {
    const { store, path, id } = await openFilled();
    const other = join(folder, 'other.db');
    const fresh = await openSqliteStore({ path: other });
    const { id: fromOther } = await fresh.addNote(makeNote({ text: 'from the other' }));
    await fresh.close();
    renameSync(other, path);
    const { data } = await failure(store.addNote(makeNote()));
    expect(existsSync(data.log ?? '')).toBe(true);
    await store.close();
    const reopened = await openSqliteStore({ path });
    expect(await reopened.getNote(fromOther)).toBeDefined();
    expect(await reopened.getNote(id)).toBeUndefined();
    expect(await reopened.check()).toEqual([]);
    await reopened.close();
  });

  it('is not taken for saved in the copy of an earlier loss', async () => {
    const { store, path, id } = await openFilled();
    const { dev, ino } = statSync(path);
    // The number of a removed file is soon given to another.
    writeFileSync(`${path}.rescued-${dev}-${ino}`, 'an earlier copy');
    rmSync(path);
    const { data } = await failure(store.addNote(makeNote()));
    await store.close();
    expect(idsIn(data.copy)).toEqual([id]);
    expect(readFileSync(`${path}.rescued-${dev}-${ino}`, 'utf8')).toBe('an earlier copy');
  });

  it.each(HAPPENINGS)(
    'is saved at the latest when it is closed, after it %s',
    async (_, happen) => {
      const { store, path, id } = await openFilled();
      happen(path);
      const { code, data } = await failure(store.close());
      expect(code).toBe('STORE_MOVED');
      expect(idsIn(data.copy)).toEqual([id]);
    },
  );

  it('is noticed by reads too, within a quarter of a second', async () => {
    let now = 1_000;
    const path = join(folder, 'reads', 'memory.db');
    const store = await openSqliteStore({ path, now: () => now });
    const { id } = await store.addNote(makeNote());
    await store.getNote(id);
    rmSync(path);
    expect(await store.getNote(id)).toBeDefined();
    now += 250;
    expect(await failure(store.getNote(id))).toMatchObject({ code: 'STORE_MOVED' });
    await store.close();
  });

  it('is saved again where the copy was removed too, as a folder is file by file', async () => {
    const { store, path, id } = await openFilled();
    rmSync(path);
    const first = await failure(store.addNote(makeNote()));
    rmSync(dirname(path), { recursive: true });
    const again = await failure(store.getNote(id));
    expect(again.data.copy).toBe(first.data.copy);
    expect(idsIn(again.data.copy)).toEqual([id]);
    rmSync(again.data.copy);
    await store.close();
    expect(idsIn(again.data.copy)).toEqual([id]);
  });

  it('is saved as soon as it can be, where the first attempt failed', async () => {
    const { store, path, id } = await openFilled();
    const home = dirname(path);
    rmSync(home, { recursive: true });
    writeFileSync(home, 'in the way');
    const first = await failure(store.addNote(makeNote()));
    expect(first).toMatchObject({ code: 'STORE_MOVED' });
    expect(first.data.copy).toBeUndefined();
    expect(first.message).toContain('the next call tries again');
    rmSync(home);
    const { data } = await failure(store.getNote(id));
    await store.close();
    expect(idsIn(data.copy)).toEqual([id]);
  });

  it('goes unwritten without its shared memory, which holds the locks', async () => {
    const { store, path, id } = await openFilled();
    rmSync(`${path}-shm`);
    const other = await openSqliteStore({ path });
    const { id: theirs } = await other.addNote(makeNote({ text: 'theirs' }));
    expect(await failure(store.addNote(makeNote()))).toMatchObject({
      code: 'STORE_MOVED',
      message: expect.stringContaining(`Everything acknowledged is in the store at \`${path}\``),
    });
    await store.close();
    await other.close();
    expect(idsIn(path)).toEqual([id, theirs]);
  });

  it('is not opened again while others go on with a log that was removed', async () => {
    const { store, path, id } = await openFilled();
    rmSync(`${path}-wal`);
    expect(await failure(openSqliteStore({ path }))).toMatchObject({
      code: 'STORE_MOVED',
      message: expect.stringContaining('Stop every server'),
    });
    expect(existsSync(`${path}-wal`)).toBe(false);
    await failure(store.close());
    // The last to end has put everything into the store.
    const again = await openSqliteStore({ path });
    expect(await again.getNote(id)).toBeDefined();
    await again.close();
  });

  it('is opened where nobody has it open, whatever shared memory a crash left', async () => {
    const { store, path, id } = await openFilled();
    await store.close();
    writeFileSync(`${path}-shm`, Buffer.alloc(32_768));
    const again = await openSqliteStore({ path });
    expect(await again.getNote(id)).toBeDefined();
    await again.close();
  });

  it('is not begun again while a server may have the removed one open', async () => {
    const { store, path } = await openFilled();
    rmSync(path);
    rmSync(`${path}-wal`);
    expect(await failure(openSqliteStore({ path }))).toMatchObject({
      code: 'STORE_MOVED',
      message: expect.stringContaining(`${path}-shm`),
    });
    expect(existsSync(path)).toBe(false);
    await failure(store.close());
  });

  it('is found through a link, which may not be pointed elsewhere either', async () => {
    const { store: target, path } = await openFilled();
    await target.close();
    const alias = `${path}.link`;
    symlinkSync(path, alias);
    const store = await openSqliteStore({ path: alias });
    await store.addNote(makeNote({ text: 'through the link' }));
    rmSync(alias);
    symlinkSync(`${path}.none`, alias);
    expect(await failure(store.addNote(makeNote()))).toMatchObject({ code: 'STORE_MOVED' });
    await store.close();
  });
});

describe('a write-ahead log without its database', () => {
  it.each([
    ['no file', (path: string) => rmSync(path)],
    ['an empty file', (path: string) => writeFileSync(path, '')],
  ])('is kept, and the store refused, where there is %s beside it', async (_, leave) => {
    const { store, path, id } = await openFilled();
    const log = readFileSync(`${path}-wal`);
    await store.close();
    leave(path);
    writeFileSync(`${path}-wal`, log);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await failure(openSqliteStore({ path }))).toMatchObject({
        code: 'STORE_MOVED',
        message: expect.stringContaining(`\`${path}-wal\``),
      });
    }
    expect(readFileSync(`${path}-wal`)).toEqual(log);
    expect(log.includes(Buffer.from(id))).toBe(true);
  });

  it('stops no new store where it is empty', async () => {
    const path = join(folder, 'empty-log', 'memory.db');
    mkdirSync(dirname(path));
    writeFileSync(`${path}-wal`, '');
    const store = await openSqliteStore({ path });
    expect(await store.addNote(makeNote())).toMatchObject({ isNew: true });
    await store.close();
  });
});
