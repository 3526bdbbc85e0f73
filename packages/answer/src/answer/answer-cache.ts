import type { Clock } from '../clock.ts';
import { objectOf } from '../loose-json.ts';
import type { AnswerResult } from './result.ts';

/** A directory as the cache needs it; names are plain file names. */
export interface CacheDirectory {
  read(name: string): Promise<string | undefined>;
  /** Replaces the file in one step, so that no reader sees half of it. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** All names, the ones written longest ago first. */
  list(): Promise<readonly string[]>;
}

/** Remembered answers, one file each; several processes may share the directory. */
export interface AnswerCache {
  get(
    key: string,
  ): Promise<{ readonly result: AnswerResult; readonly storedAt: number } | undefined>;
  put(key: string, result: AnswerResult, ttlMs: number): Promise<void>;
}

// Pruning reads the whole directory, so it is not done for every answer.
const pruneEvery = 20;

/** Opens the cache on a directory. */
export function createAnswerCache(
  directory: CacheDirectory,
  options: { readonly clock: Clock; readonly maxEntries: number },
): AnswerCache {
  const { clock, maxEntries } = options;
  let writes = 0;
  return {
    async get(key) {
      const text = await directory.read(`${key}.json`);
      const entry = text === undefined ? undefined : parseEntry(text);
      if (entry === undefined || entry.expiresAt <= clock.now()) return undefined;
      return { result: entry.result, storedAt: entry.storedAt };
    },
    async put(key, result, ttlMs) {
      if (ttlMs <= 0) return;
      const storedAt = clock.now();
      const entry = { v: 1, storedAt, expiresAt: storedAt + ttlMs, result };
      await directory.write(`${key}.json`, JSON.stringify(entry));
      if (writes++ % pruneEvery === 0) await prune(directory, maxEntries);
    },
  };
}

const hourMs = 3_600_000;

/** How long an answer stays good: an hour for each day its sources may be old. */
export function timeToLive(recencyDays: number): number {
  return Math.min(7 * 24 * hourMs, Math.max(hourMs / 12, recencyDays * hourMs));
}

interface Entry {
  readonly storedAt: number;
  readonly expiresAt: number;
  readonly result: AnswerResult;
}

function parseEntry(text: string): Entry | undefined {
  try {
    const entry = objectOf(JSON.parse(text));
    const isEntry = entry['v'] === 1 && typeof objectOf(entry['result'])['answer'] === 'string';
    return isEntry ? (entry as unknown as Entry) : undefined;
  } catch {
    // A damaged file is as good as none; the next answer replaces it.
    return undefined;
  }
}

async function prune(directory: CacheDirectory, maxEntries: number): Promise<void> {
  const names = await directory.list();
  for (const name of names.slice(0, Math.max(0, names.length - maxEntries))) {
    await directory.remove(name);
  }
}
