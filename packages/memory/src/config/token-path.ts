import { join } from 'node:path';
import type { Settings } from './settings.ts';

/** File that holds the token of the HTTP server. */
export function tokenPath({ dataDir }: Settings['paths']): string {
  return join(dataDir, 'token');
}
