import type { Arguments } from '../arguments.ts';
import { usageError } from '../command-error.ts';

/** The id of the one note that a command is about. */
export function oneId({ words }: Pick<Arguments, 'words'>): string {
  const [id, ...more] = words;
  if (id === undefined) throw usageError('id is required');
  if (more.length > 0) throw usageError(`expected one id, got ${words.length}`);
  return id;
}
