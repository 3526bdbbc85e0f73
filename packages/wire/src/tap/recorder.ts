import { createWriteStream, type WriteStream } from 'node:fs';
import { checkCount } from '../check-option.ts';
import { WireError } from '../errors.ts';
import type { Framing } from '../framing/framing.ts';
import { redactText, redactValue } from './redact.ts';
import type { Direction, Tap } from './tap.ts';

/** One line of a recording. */
export type TapRecord =
  | {
      readonly type: 'frame';
      readonly time: string;
      readonly direction: Direction;
      readonly framing: Framing;
      readonly bytes: number;
      /** For an answer: time since its request, in milliseconds. */
      readonly latencyMs?: number;
      /** The message, secrets masked. */
      readonly message: unknown;
    }
  | {
      readonly type: 'stray';
      readonly time: string;
      readonly source: 'stdout' | 'stderr';
      readonly text: string;
    }
  | {
      readonly type: 'exit';
      readonly time: string;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };

/** Settings of a {@link Recorder}. */
export interface RecorderOptions {
  /** Records kept in memory. Default 1,000. */
  readonly keep?: number;
  /** File that gets every record as one line of JSON. */
  readonly file?: string;
  /** Whether secrets are masked. Default true. */
  readonly redact?: boolean;
  /** Time of a record, in milliseconds since 1970, for recordings made after the fact. Default now. */
  readonly now?: () => number;
}

/** Most requests whose answer is waited for; the oldest are forgotten. */
const MAX_OPEN = 10_000;

/** Records the traffic of a connection: the last records in memory, all of them in a file if asked. */
export class Recorder implements Tap, AsyncDisposable {
  readonly #keep: number;
  readonly #redacts: boolean;
  readonly #now: () => number;
  readonly #stream: WriteStream | undefined;
  readonly #open = new Map<string, number>();
  #ring: TapRecord[] = [];
  #failure: Error | undefined;

  constructor({ keep = 1000, file, redact = true, now = clock }: RecorderOptions = {}) {
    this.#keep = checkCount('keep', keep);
    this.#redacts = redact;
    this.#now = now;
    if (file !== undefined) {
      this.#stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
      // A recording that cannot be written must not end the session it records.
      this.#stream.on('error', (error) => {
        this.#failure ??= error;
      });
    }
  }

  /** The last records, oldest first. */
  get records(): readonly TapRecord[] {
    return this.#ring.slice(-this.#keep);
  }

  frame(direction: Direction, text: string, framing: Framing): void {
    const message = parse(text);
    const latencyMs = this.#latency(direction, message);
    this.#add({
      type: 'frame',
      time: this.#time(),
      direction,
      framing,
      bytes: Buffer.byteLength(text),
      ...(latencyMs !== undefined && { latencyMs }),
      message: this.#redacts ? redactValue(message) : message,
    });
  }

  stray(source: 'stdout' | 'stderr', text: string): void {
    const clean = this.#redacts ? redactText(text) : text;
    this.#add({ type: 'stray', time: this.#time(), source, text: clean });
  }

  exit(exitCode: number | null, signal: NodeJS.Signals | null): void {
    this.#add({ type: 'exit', time: this.#time(), exitCode, signal });
  }

  /** Writes what is left to the file; rejects when the recording could not be written. */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream !== undefined && !stream.closed) {
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.end();
      });
    }
    if (this.#failure !== undefined) {
      const { message } = this.#failure;
      throw new WireError('IO', `the recording is incomplete: ${message}`, {
        cause: this.#failure,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  #add(record: TapRecord): void {
    if (this.#keep > 0) {
      this.#ring.push(record);
      // Cut in steps: a shift for every record would copy the ring each time.
      if (this.#ring.length > this.#keep * 2) this.#ring = this.#ring.slice(-this.#keep);
    }
    this.#stream?.write(`${JSON.stringify(record)}\n`);
  }

  #latency(direction: Direction, message: unknown): number | undefined {
    if (typeof message !== 'object' || message === null) return undefined;
    const { id, method } = message as { id?: unknown; method?: unknown };
    if (id === undefined || id === null) return undefined;
    const now = this.#now();
    if (method !== undefined) {
      this.#open.set(`${direction} ${JSON.stringify(id)}`, now);
      const [oldest] = this.#open.keys();
      if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
      return undefined;
    }
    const asked: Direction = direction === 'client→server' ? 'server→client' : 'client→server';
    const key = `${asked} ${JSON.stringify(id)}`;
    const since = this.#open.get(key);
    this.#open.delete(key);
    return since === undefined ? undefined : Math.round((now - since) * 1000) / 1000;
  }
}

/** Finer than `Date.now`, and never goes back. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Taps see what is on the wire, messages or not.
    return text;
  }
}
