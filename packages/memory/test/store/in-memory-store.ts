import Driver from 'better-sqlite3';
import { storeOn } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A store that lives in memory, opened at once: for tests above the store. */
export function inMemoryStore(now?: () => number): Store {
  return storeOn(new Driver(':memory:'), { path: ':memory:', ...(now && { now }) });
}
