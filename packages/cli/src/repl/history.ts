import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolderSync } from 'tincan-wire';

const MAX_LINES = 1000;

/** Lines of earlier sessions, newest first; none when there is no file. */
export async function readHistory(file: string): Promise<string[]> {
  try {
    const text = await readFile(file, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .reverse();
  } catch {
    // The first session.
    return [];
  }
}

/** Keeps the lines for the next session, readable by their owner only. */
export async function writeHistory(file: string, newestFirst: readonly string[]): Promise<void> {
  makeFolderSync(dirname(file));
  const lines = newestFirst.slice(0, MAX_LINES).toReversed();
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}
