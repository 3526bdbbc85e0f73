import { StringDecoder } from 'node:string_decoder';
import { type Decoded, type Direction, FrameDecoder, Recorder, type TapRecord } from 'tincan-wire';
import type { TrafficListener } from './pass-through.ts';

/** Settings of a {@link TrafficCopy}. */
export interface TrafficCopyOptions {
  readonly file: string;
  readonly redact: boolean;
  readonly maxMessageBytes: number;
  /** Sees each record when it is made. */
  readonly onRecord?: (record: TapRecord) => void;
}

type Source = 'client' | 'server' | 'stderr';

/** How long bytes may wait to be recorded: traffic comes first. */
const WAIT_MS = 20;
/** How long recording may hold up traffic at a time. */
const SLICE_MS = 1;
/** Bytes that may wait; beyond, recording takes its share. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Longest piece of a line of stderr that is held back for its end. */
const MAX_LINE = 64 * 1024;

/**
 * Makes a recording from copies of the bytes of a session, when the bytes themselves are on their way.
 * Nothing that happens here reaches the session.
 */
export class TrafficCopy implements TrafficListener {
  readonly #recorder: Recorder;
  readonly #decoders: Readonly<Record<'client' | 'server', FrameDecoder>>;
  readonly #stderr = new StringDecoder('utf8');
  readonly #onRecord: ((record: TapRecord) => void) | undefined;
  #line = '';
  readonly #queue: { readonly at: number; readonly step: () => void }[] = [];
  #waitingBytes = 0;
  #isDue = false;
  /** When the bytes that are being recorded passed. */
  #at = 0;

  constructor({ file, redact, maxMessageBytes, onRecord }: TrafficCopyOptions) {
    this.#recorder = new Recorder({
      file,
      redact,
      keep: onRecord === undefined ? 0 : 1,
      now: () => this.#at,
    });
    this.#onRecord = onRecord;
    this.#decoders = {
      client: new FrameDecoder({ maxMessageBytes }),
      server: new FrameDecoder({ maxMessageBytes, lenient: true }),
    };
  }

  bytes(from: Source, chunk: Buffer): void {
    this.#waitingBytes += chunk.length;
    this.#later(() => {
      if (from === 'stderr') this.#takeStderr(this.#stderr.write(chunk));
      else this.#take(from, this.#decoders[from].push(chunk));
    });
  }

  end(from: Source): void {
    this.#later(() => {
      if (from !== 'stderr') this.#take(from, this.#decoders[from].end());
      else if (this.#line !== '') this.#takeStderr(`${this.#stderr.end()}\n`);
    });
  }

  exit(exitCode: number | null, signal: NodeJS.Signals | null): void {
    this.#later(() => this.#record((recorder) => recorder.exit(exitCode, signal)));
  }

  /** Writes what is left; rejects when the recording is incomplete. */
  async close(): Promise<void> {
    this.#work(Number.POSITIVE_INFINITY);
    await this.#recorder.close();
  }

  /** Puts work off: what passes is not held up by what has passed. */
  #later(step: () => void): void {
    this.#queue.push({ at: performance.timeOrigin + performance.now(), step });
    if (this.#waitingBytes > MAX_WAITING) this.#work(SLICE_MS);
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#workOn(), WAIT_MS);
  }

  /** Works in slices, between which traffic passes. */
  #workOn(): void {
    this.#work(SLICE_MS);
    this.#isDue = this.#queue.length > 0;
    if (this.#isDue) setImmediate(() => this.#workOn());
    else this.#waitingBytes = 0;
  }

  #work(budgetMs: number): void {
    const deadline = performance.now() + budgetMs;
    let done = 0;
    for (const { at, step } of this.#queue) {
      this.#at = at;
      this.#run(step);
      done++;
      if (performance.now() >= deadline) break;
    }
    this.#queue.splice(0, done);
  }

  #run(step: () => void): void {
    try {
      step();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#recorder.stray('stderr', `[tincan tap: a message could not be recorded: ${message}]`);
    }
  }

  #take(from: 'client' | 'server', found: readonly Decoded[]): void {
    const direction: Direction = from === 'client' ? 'client→server' : 'server→client';
    for (const item of found) {
      if (item.kind === 'message') {
        this.#record((recorder) => recorder.frame(direction, item.text, item.framing));
      } else if (item.kind === 'oversize') {
        const note = `[tincan tap: ${direction}, ${item.size} bytes, too large to record] ${item.head.slice(0, 200)}`;
        this.#record((recorder) => recorder.stray('stdout', note));
      } else if (item.kind === 'junk') {
        const note = from === 'client' ? `[tincan tap: from the client] ${item.text}` : item.text;
        this.#record((recorder) => recorder.stray('stdout', note));
      } else if (from === 'server' && item.reason === 'stray') {
        this.#record((recorder) => recorder.stray('stdout', item.text));
      }
    }
  }

  #takeStderr(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    if (this.#line.length > MAX_LINE) {
      lines.push(this.#line);
      this.#line = '';
    }
    for (const line of lines) {
      this.#record((recorder) => recorder.stray('stderr', line.replace(/\r$/, '')));
    }
  }

  #record(add: (recorder: Recorder) => void): void {
    add(this.#recorder);
    const record = this.#onRecord && this.#recorder.records.at(-1);
    if (record !== undefined) this.#onRecord?.(record);
  }
}
