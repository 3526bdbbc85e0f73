import { loadBetterSqlite } from '../../../../src/store/sqlite/driver/better-sqlite.ts';
import { loadNodeSqlite } from '../../../../src/store/sqlite/driver/node-sqlite.ts';
import type { Driver } from '../../../../src/store/sqlite/driver.ts';

/** Every driver that this Node can load, safe or not, by its name. */
export function availableDrivers(): [string, Driver][] {
  return [loadNodeSqlite(), betterSqlite()].flatMap((driver) =>
    driver === undefined ? [] : [[driver.name, driver]],
  );
}

function betterSqlite(): Driver | undefined {
  try {
    return loadBetterSqlite();
  } catch {
    // Not installed, or built for another Node.
    return undefined;
  }
}
