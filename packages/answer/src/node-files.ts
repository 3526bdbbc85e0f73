import { appendFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolderSync } from 'tincan-wire';
import type { CacheDirectory } from './answer/answer-cache.ts';
import type { CassetteFiles } from './cassette/cassette.ts';
import type { PolicyFiles } from './policy/system-policy.ts';

// Answers and recordings are the user's own business.
const privately = { encoding: 'utf8', mode: 0o600 } as const;

/** Policy files on disk. */
export const policyFiles: PolicyFiles = {
  readFile: (path) => readFile(path, 'utf8'),
  async stamp(path) {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}:${size}:${ino}`;
  },
};

/** Cassettes on disk; the directory is made when the first line is written. */
export const cassetteFiles: CassetteFiles = {
  readFile: (path) => readFile(path, 'utf8'),
  async appendFile(path, text) {
    makeFolderSync(dirname(path));
    await appendFile(path, text, privately);
  },
};

/** A cache directory on disk. */
export function cacheDirectory(path: string): CacheDirectory {
  return {
    async read(name) {
      try {
        return await readFile(join(path, name), 'utf8');
      } catch {
        // Absent or unreadable: either way there is no remembered answer.
        return undefined;
      }
    },
    async write(name, text) {
      makeFolderSync(path);
      const draft = join(path, `.${name}.${process.pid}.${draftNumber++}`);
      await writeFile(draft, text, privately);
      await rename(draft, join(path, name));
    },
    remove: (name) => rm(join(path, name), { force: true }),
    async list() {
      const names = (await readdir(path)).filter((name) => name.endsWith('.json'));
      const dated = await Promise.all(
        names.map(async (name) => ({ name, at: await modifiedAt(join(path, name)) })),
      );
      return dated.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
    },
  };
}

let draftNumber = 0;

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    // Another process pruned it meanwhile.
    return 0;
  }
}
