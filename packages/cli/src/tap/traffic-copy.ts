import { StringDecoder } from 'node:string_decoder';
import { type Decoded, type Direction, FrameDecoder, Recorder, type TapRecord } from '@tincan/wire';
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
  #queue: (() => void)[] = [];

  constructor({ file, redact, maxMessageBytes, onRecord }: TrafficCopyOptions) {
    this.#recorder = new Recorder({ file, redact, keep: onRecord === undefined ? 0 : 1 });
    this.#onRecord = onRecord;
    this.#decoders = {
      client: new FrameDecoder({ maxMessageBytes }),
      server: new FrameDecoder({ maxMessageBytes, lenient: true }),
    };
  }

  bytes(from: Source, chunk: Buffer): void {
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
    this.#work();
    await this.#recorder.close();
  }

  /** Puts work off until the event loop has moved all bytes that are there. */
  #later(step: () => void): void {
    if (this.#queue.length === 0) setImmediate(() => this.#work());
    this.#queue.push(step);
  }

  #work(): void {
    const steps = this.#queue;
    this.#queue = [];
    for (const step of steps) {
      try {
        step();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.#recorder.stray('stderr', `[tincan tap: a message could not be recorded: ${message}]`);
      }
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
