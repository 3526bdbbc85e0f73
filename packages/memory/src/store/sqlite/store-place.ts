import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { MemoryError } from '../../errors.ts';

/** What became of a file since it was opened. */
export type Fate = 'there' | 'gone' | 'replaced';

/**
 * Tells whether the files that are open are still the files at their path. It looks without opening:
 * closing a second descriptor of the database would drop this process's locks on it.
 */
export class StorePlace {
  readonly path: string;
  /** The write-ahead log lies beside the file itself, not beside a link to it. */
  readonly logPath: string;
  /** Holds the locks of writers: where two processes have not the same one, both write at once. */
  readonly sharedPath: string;
  /** Names the file that was opened, whatever becomes of its path. */
  readonly identity: string;
  readonly #log: string | undefined;
  readonly #shared: string | undefined;

  constructor(path: string, identity: string | undefined = identify(path)) {
    const target = realpathSync(path);
    this.path = path;
    this.logPath = `${target}-wal`;
    this.sharedPath = `${target}-shm`;
    this.identity = identity ?? '';
    this.#log = identify(this.logPath);
    this.#shared = identify(this.sharedPath);
  }

  get isUnmoved(): boolean {
    return (
      identify(this.path) === this.identity &&
      identify(this.logPath) === this.#log &&
      identify(this.sharedPath) === this.#shared
    );
  }

  get file(): Fate {
    return fateOf(this.path, this.identity);
  }

  get log(): Fate {
    return fateOf(this.logPath, this.#log);
  }

  get shared(): Fate {
    return fateOf(this.sharedPath, this.#shared);
  }
}

/** Refuses a path whose file is not the one that was found there before it was opened. */
export function assertIdentity(path: string, identity: string | undefined): void {
  if (identify(path) === identity) return;
  throw new MemoryError(
    'STORE_MOVED',
    `the store at \`${path}\` was moved, removed or replaced while it was being opened; try again`,
    { data: { path } },
  );
}

/** Device and number of a file, `undefined` where there is none. */
export function identify(path: string): string | undefined {
  const found = statOf(path);
  return found === undefined ? undefined : `${found.dev}-${found.ino}`;
}

function fateOf(path: string, identity: string | undefined): Fate {
  const found = identify(path);
  if (found === identity) return 'there';
  return found === undefined ? 'gone' : 'replaced';
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder in the way, or one that cannot be entered any more: the file is not where it was.
    return undefined;
  }
}
