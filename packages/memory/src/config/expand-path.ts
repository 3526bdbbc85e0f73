import { join, resolve } from 'node:path';

/** Where relative names start from. */
export interface PathBase {
  readonly home: string;
  readonly cwd: string;
}

/** An absolute path; `~` and `~/…` are the user's home. */
export function expandPath(path: string, { home, cwd }: PathBase): string {
  if (path === '~') return home;
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return resolve(cwd, path);
}
