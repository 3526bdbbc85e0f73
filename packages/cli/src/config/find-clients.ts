import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CLIENT_NAMES } from '../verbs/config.ts';
import { type Client, type ClientName, clients, type Place } from './clients.ts';

/** The clients that are installed here, by their files or by their program on the PATH. */
export function findClients(place: Place): ClientName[] {
  return CLIENT_NAMES.filter((name) => isInstalled(clients[name], place));
}

function isInstalled(client: Client, place: Place): boolean {
  return client.traces(place).some((path) => existsSync(path)) || isOnPath(client.program, place);
}

function isOnPath(program: string | undefined, { env, platform }: Place): boolean {
  if (program === undefined) return false;
  const endings = platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => endings.some((ending) => existsSync(join(folder, `${program}${ending}`))));
}
