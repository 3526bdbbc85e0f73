import { access } from 'node:fs/promises';
import type { Settings } from '../../../config/settings.ts';
import { MemoryError } from '../../../errors.ts';
import { openStore } from '../../../store/open-store.ts';
import { namespaceOf } from '../../../store/space.ts';
import { loadDriver } from '../../../store/sqlite/driver.ts';
import type { Store, StoreStatus } from '../../../store/store.ts';
import { ownCommand } from '../own-command.ts';
import { type Check, messageOf } from './diagnose.ts';
import { checkSecrets } from './secrets.ts';

/** Which driver this Node uses, and which SQLite is in it. */
export function checkDriver(): Check[] {
  try {
    const { name, sqliteVersion } = loadDriver();
    return [
      { name: 'driver', status: 'ok', message: name },
      { name: 'sqlite', status: 'ok', message: sqliteVersion },
    ];
  } catch (error) {
    const repair = error instanceof MemoryError ? error.data?.['repair'] : undefined;
    const fix = repair === undefined ? undefined : `run \`${String(repair)}\``;
    return [{ name: 'driver', status: 'fail', message: messageOf(error), ...(fix && { fix }) }];
  }
}

/** Whether the store opens and is sound, and how much is in it. */
export async function checkStore({ store: settings }: Settings): Promise<Check[]> {
  const name = 'store';
  if (settings.path === null) {
    return [
      {
        name,
        status: 'warn',
        message: 'in memory: everything is forgotten at exit',
        fix: 'set `store.type` to `sqlite`',
      },
    ];
  }
  const isThere = await access(settings.path).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    return [{ name, status: 'ok', message: `\`${settings.path}\` is made with the first note` }];
  }
  let store: Store | undefined;
  try {
    store = await openStore(settings);
    const problems = await store.check();
    if (problems.length > 0) return [unsound(problems)];
    const status = await store.status();
    const secrets = await checkSecrets(store);
    return [
      { name, status: 'ok', message: `${settings.path}: ${figures(status)}, integrity checked` },
      ...vectorChecks(status),
      secrets,
    ];
  } catch (error) {
    return [
      {
        name,
        status: 'fail',
        message: messageOf(error),
        fix: `stop every server that uses the store, then \`${ownCommand()} restore\` your last backup; or move the store away with its \`-wal\` file and \`${ownCommand()} import\` your last export`,
      },
    ];
  } finally {
    await store?.close();
  }
}

function unsound(problems: readonly string[]): Check {
  return {
    name: 'store',
    status: 'fail',
    message: problems.slice(0, 5).join('; '),
    fix: `\`${ownCommand()} export -o rescue.ndjson\`, move the store away, \`${ownCommand()} import rescue.ndjson\``,
  };
}

function figures({ notes, projects, bytes }: StoreStatus): string {
  return `notes: ${notes}, projects: ${projects}, ${(bytes / 1e6).toFixed(1)} MB`;
}

function vectorChecks({ spaces: [newest] }: StoreStatus): Check[] {
  if (newest === undefined) return [];
  const { space, vectors, pending } = newest;
  const message = `${namespaceOf(space)}: ${vectors} there, ${pending} waiting`;
  if (pending === 0) return [{ name: 'vectors', status: 'ok', message }];
  const fix = `a running server computes them; \`${ownCommand()} reindex\` does so at once`;
  return [{ name: 'vectors', status: 'warn', message, fix }];
}
