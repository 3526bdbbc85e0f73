import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { IndexCache } from '../../../src/store/sqlite/index-cache.ts';
import { storeOn } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { Statements } from '../../../src/store/sqlite/statements.ts';

const db = connect(':memory:');
storeOn(db, { path: ':memory:' });
afterEach(() => db.close());

describe('codes in memory', () => {
  it('are kept for the sixteen projects searched last', () => {
    const cache = new IndexCache(new Statements(db));
    const open = (project: number): unknown => cache.open(1, project, 8);
    const held = Array.from({ length: 16 }, (_, project) => open(project));
    // All sixteen are kept, and project 0 is now the most recent.
    expect(open(0)).toBe(held[0]);
    open(16);
    expect(open(0)).toBe(held[0]);
    expect(open(2)).toBe(held[2]);
    expect(open(1)).not.toBe(held[1]);
  });
});
