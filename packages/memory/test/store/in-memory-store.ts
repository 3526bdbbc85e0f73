import { connect } from '../../src/store/sqlite/driver.ts';
import { storeOn } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A store that lives in memory, opened at once: for tests above the store. */
export function inMemoryStore(now?: () => number): Store {
  return storeOn(connect(':memory:'), { path: ':memory:', ...(now && { now }) });
}
