import type { StoreSettings } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';
import type { CopyContents } from './sqlite/check-copy.ts';
import type { RestoredStore } from './sqlite/restore.ts';

/** Saves the configured store in a file, while others use it. */
export async function backupStore(
  settings: StoreSettings,
  options: { readonly file: string; readonly force: boolean },
): Promise<CopyContents> {
  const { backupSqliteStore } = await import('./sqlite/backup.ts');
  return backupSqliteStore({ path: fileOf(settings), ...options });
}

/** Puts a backup in the place of the configured store, which no process may have open. */
export async function restoreStore(
  settings: StoreSettings,
  options: { readonly file: string },
): Promise<RestoredStore> {
  const { restoreSqliteStore } = await import('./sqlite/restore.ts');
  return restoreSqliteStore({ path: fileOf(settings), ...options });
}

function fileOf({ type, path }: StoreSettings): string {
  if (type !== 'memory' && path !== null) return path;
  throw new MemoryError('CONFIG', 'expected a store in a file, but `store.type` is `memory`');
}
