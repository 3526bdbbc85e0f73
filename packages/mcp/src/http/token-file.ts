import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync, WireError } from 'tincan-wire';
import { isToken } from './access.ts';

const MAX_BYTES = 4096;

/** A bearer token in a file that only its owner can read. */
export class TokenFile {
  readonly path: string;
  #token = '';
  #stamp = '';

  private constructor(path: string) {
    this.path = path;
  }

  /** Reads the token, or makes one where there is none. */
  static open(path: string): TokenFile {
    if (!exists(path)) writeToken(path, { replace: false });
    return TokenFile.read(path);
  }

  /** Reads the token of a server that runs elsewhere. */
  static read(path: string): TokenFile {
    if (!exists(path)) throw new WireError('IO', `the token file \`${path}\` does not exist`);
    const file = new TokenFile(path);
    file.#read();
    return file;
  }

  /** Replaces the token. Servers that hold the file accept the new token, and only that, from now on. */
  static rotate(path: string): TokenFile {
    writeToken(path, { replace: true });
    return TokenFile.open(path);
  }

  /** The token in the file now; the last one that was read while the file is missing or unsafe. */
  readonly current = (): string => {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    if (stats !== undefined && stampOf(stats) !== this.#stamp) {
      try {
        this.#read();
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        // A file that others can write decides nothing.
        this.#stamp = stampOf(stats);
      }
    }
    return this.#token;
  };

  #read(): void {
    const { text, stats } = readOwned(this.path);
    if (!isToken(text)) {
      throw badFile(this.path, 'to hold one token of visible ASCII characters');
    }
    this.#token = text;
    this.#stamp = stampOf(stats);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function stampOf({ dev, ino, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${mtimeMs}:${ctimeMs}`;
}

/** The draft is complete before it gets its name, so that nobody reads half a token. */
function writeToken(path: string, { replace }: { readonly replace: boolean }): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    makeFolderSync(dirname(path));
    const token = randomBytes(32).toString('base64url');
    writeFileSync(draft, `${token}\n`, { flag: 'wx', mode: 0o600, flush: true });
    if (replace || !linked(draft, path)) renameSync(draft, path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WireError('IO', `the token file \`${path}\` cannot be written: ${reason}`, {
      cause,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether the file is there now, ours or that of a process that was faster. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    // Some file systems have no links.
    return Reflect.get(Object(error), 'code') === 'EEXIST';
  }
}

function readOwned(path: string): { readonly text: string; readonly stats: Stats } {
  // Opening a FIFO would otherwise wait for its writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw badFile(path, 'to be a small file');
    const uid = process.getuid?.();
    if (uid !== undefined && stats.uid !== uid) throw badFile(path, 'to belong to this user');
    if (uid !== undefined && (stats.mode & 0o077) !== 0) {
      throw badFile(path, 'to be open to its owner only (mode 0600)');
    }
    return { text: readFileSync(file, 'utf8').trim(), stats };
  } finally {
    closeSync(file);
  }
}

function badFile(path: string, expected: string): WireError {
  return new WireError(
    'BAD_STATE',
    `expected the token file \`${path}\` ${expected}; replace the token or remove the file`,
  );
}
