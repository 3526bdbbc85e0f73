import type { Readable, Writable } from 'node:stream';
import { createPaint, type Paint } from '../format/paint.ts';

/** What a verb sees of the process it runs in. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Colours for stdout. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly errorPaint: Paint;
  /** Prints a line on stdout. */
  print(line: string): void;
  /** Prints a line on stderr. */
  remark(line: string): void;
}

/** The parts of {@link Io} that are not derived from the others. */
export interface IoParts
  extends Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'isTerminal'> {
  readonly isErrorTerminal: boolean;
  readonly columns?: number | undefined;
}

const DEFAULT_COLUMNS = 100;

/** Makes an {@link Io} from streams. */
export function createIo({ columns, isErrorTerminal, ...parts }: IoParts): Io {
  const { stdout, stderr, env, isTerminal } = parts;
  return {
    ...parts,
    width: Math.max(40, columns || Number(env['COLUMNS']) || DEFAULT_COLUMNS),
    paint: createPaint(wantsColour(env, isTerminal)),
    errorPaint: createPaint(wantsColour(env, isErrorTerminal)),
    print: (line) => void stdout.write(`${line}\n`),
    remark: (line) => void stderr.write(`${line}\n`),
  };
}

/** The streams of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return createIo({
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    isTerminal: stdout.isTTY === true,
    isErrorTerminal: stderr.isTTY === true,
    columns: stdout.columns ?? stderr.columns,
  });
}

function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
