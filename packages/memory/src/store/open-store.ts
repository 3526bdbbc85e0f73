import type { StoreSettings } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';
import type { Store } from './store.ts';

/** Opens the configured store, loading no other engine than that one's. */
export async function openStore({ type, path }: StoreSettings): Promise<Store> {
  if (type === 'memory') {
    const { MemoryStore } = await import('./memory/memory-store.ts');
    return new MemoryStore();
  }
  if (path === null) throw new MemoryError('CONFIG', 'expected `store.path` to name a file');
  const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
  return openSqliteStore({ path });
}
