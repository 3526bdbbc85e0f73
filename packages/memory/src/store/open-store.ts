import type { StoreSettings } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';
import type { Store } from './store.ts';

/** Opens the configured store; `memory` is a SQLite database that ends with the process. */
export async function openStore({ type, path }: StoreSettings): Promise<Store> {
  const file = type === 'memory' ? ':memory:' : path;
  if (file === null) throw new MemoryError('CONFIG', 'expected `store.path` to name a file');
  const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
  return openSqliteStore({ path: file });
}
