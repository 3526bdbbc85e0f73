import { openScreen } from '../../../service/secrets.ts';
import type { Store } from '../../../store/store.ts';
import { ownCommand } from '../own-command.ts';
import type { Check } from './diagnose.ts';

/** Rows that are named; the rest is counted. */
const MAX_NAMED = 20;

/** Whether rows hold secrets, as those of an older version may. Names their ids and kinds, never a text. */
export async function checkSecrets(store: Pick<Store, 'storedTexts'>): Promise<Check> {
  const name = 'secrets';
  const screen = await openScreen('redact');
  const rows: string[] = [];
  for await (const { kind, id, fields } of store.storedTexts()) {
    const { redacted } = screen.content(fields);
    if (redacted.length > 0) rows.push(`${kind} ${id} (${redacted.join(', ')})`);
  }
  if (rows.length === 0) return { name, status: 'ok', message: 'no row holds a known secret' };
  const hidden = rows.length - MAX_NAMED;
  const named = rows.slice(0, MAX_NAMED).join(', ');
  return {
    name,
    status: 'warn',
    message: `rows that hold secrets: ${rows.length}: ${named}${hidden > 0 ? `, and ${hidden} more` : ''}`,
    fix: `replace each secret where it is used, then write the row again (secrets are redacted) or erase it with its history: \`${ownCommand()} delete --hard <id>\``,
  };
}
