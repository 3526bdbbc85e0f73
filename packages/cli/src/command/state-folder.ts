import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where histories and recordings of the user are kept. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const base =
    env['XDG_STATE_HOME'] ??
    env['LOCALAPPDATA'] ??
    join(env['HOME'] ?? homedir(), '.local', 'state');
  return join(base, 'tincan');
}
