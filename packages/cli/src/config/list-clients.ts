import { readFileSync } from 'node:fs';
import type { Io } from '../command/io.ts';
import { shellLine } from '../command/shell-line.ts';
import { table } from '../format/table.ts';
import { CLIENT_NAMES } from '../verbs/config.ts';
import { type ClientName, clients } from './clients.ts';
import { findClients } from './find-clients.ts';
import { removeJsonEntry } from './json-edit.ts';
import { tincanCommand } from './own-command.ts';
import type { Request } from './request.ts';
import { removeTomlEntry } from './toml-edit.ts';

/** Prints every client: whether it is installed, whether it has the entry, and its file. */
export function listClients({ name, place }: Request, io: Io): void {
  const found = findClients(place);
  const rows = CLIENT_NAMES.map((client) => {
    const file = clients[client].file('user', place);
    const state = !found.includes(client) ? 'not found' : hasEntry(client, file, name);
    return [client, state, file];
  });
  for (const row of table(rows)) io.print(row);
  const next = rows.find(([, state]) => state === 'installed')?.[0];
  if (found.length > 0 && next === undefined) {
    io.remark(`\nEvery client that is installed has \`${name}\`.`);
    return;
  }
  const command = shellLine([...tincanCommand(), 'config']);
  io.remark(`\nConnect one: ${command} ${next ?? '<client>'} --install`);
}

function hasEntry(client: ClientName, file: string, name: string): string {
  const { format, member } = clients[client];
  try {
    const text = readFileSync(file, 'utf8');
    const remove = format === 'toml' ? removeTomlEntry : removeJsonEntry;
    return remove(text, [member, name]) === text ? 'installed' : `has \`${name}\``;
  } catch {
    // No file yet, or one that cannot be read: the client is there all the same.
    return 'installed';
  }
}
