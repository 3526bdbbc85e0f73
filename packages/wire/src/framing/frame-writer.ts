import type { Writable } from 'node:stream';
import { toWireError, WireError } from '../errors.ts';
import { encodeFrame, type Framing } from './framing.ts';

/** Joins strings up to this length; longer ones travel alone, uncopied. */
const JOIN_CHARS = 64 * 1024;

/** Default of `maxQueuedBytes` at the server end. */
export const SERVER_QUEUE_BYTES: number = 16 * 1024 * 1024;
/** The same at the client end, where a caller may send many requests in one turn. */
export const CLIENT_QUEUE_BYTES: number = 64 * 1024 * 1024;

/** The error of a message that is not sent because too many wait. */
export function queueFull(queued: number, limit: number): WireError {
  const state = `${queued} characters wait to be written, over the limit of ${limit}`;
  return new WireError(
    'QUEUE_FULL',
    `the other end does not read: ${state}; wait for answers before sending more, or raise \`maxQueuedBytes\``,
  );
}

interface Batch {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: WireError) => void;
}

/**
 * Writes frames: all messages of one turn of the event loop in one write, one wait for a full pipe,
 * and a promise that always settles.
 */
export class FrameWriter {
  framing: Framing;
  readonly #output: Writable;
  readonly #onError: (error: WireError) => void;
  readonly #onDrain: () => void;
  #parts: string[] = [];
  #tail = '';
  #queuedChars = 0;
  #flyingChars = 0;
  #posted = 0;
  #written = 0;
  #isScheduled = false;
  #isBlocked = false;
  #batch: Batch | undefined;
  #flying: Batch[] = [];
  #failure: WireError | undefined;

  constructor(
    output: Writable,
    init: {
      readonly framing: Framing;
      readonly onError: (error: WireError) => void;
      /** Called when bytes were taken and the pipe is not full. */
      readonly onDrain?: () => void;
    },
  ) {
    this.#output = output;
    this.framing = init.framing;
    this.#onError = init.onError;
    this.#onDrain = init.onDrain ?? (() => undefined);
    output.on('error', this.#fail);
    output.on('close', this.#closed);
    output.on('drain', this.#drained);
  }

  /** Characters accepted and not yet taken by the operating system. */
  get queued(): number {
    return this.#queuedChars + this.#flyingChars;
  }

  /** Frames given to it since the beginning. */
  get posted(): number {
    return this.#posted;
  }

  /** Frames of those that the operating system has. */
  get written(): number {
    return this.#written;
  }

  /** Why nothing can be written any more. */
  get failure(): WireError | undefined {
    return this.#failure;
  }

  /** Queues a message for the end of this turn. */
  post(text: string): void {
    const frame = encodeFrame(text, this.framing);
    this.#posted++;
    if (this.#failure !== undefined) return;
    this.#queuedChars += frame.length;
    if (frame.length > JOIN_CHARS || this.#tail.length > JOIN_CHARS) {
      if (this.#tail !== '') this.#parts.push(this.#tail);
      this.#tail = frame;
    } else {
      this.#tail += frame;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flushLater);
  }

  /** Queues a message; resolves when the operating system has it, rejects when it never will. */
  send(text: string): Promise<void> {
    if (this.#failure !== undefined) return rejected(this.#failure);
    try {
      this.post(text);
    } catch (error) {
      return rejected(toWireError(error, 'TOO_LARGE'));
    }
    this.#batch ??= openBatch();
    return this.#batch.promise;
  }

  /** Writes what is queued now, unless the pipe is full. */
  flush(): void {
    if (this.#queuedChars === 0 || this.#isBlocked || this.#failure !== undefined) return;
    const output = this.#output;
    const chars = this.#queuedChars;
    const posted = this.#posted;
    const batch = this.#batch;
    const parts = this.#parts;
    const last = this.#tail;
    this.#parts = [];
    this.#tail = '';
    this.#queuedChars = 0;
    this.#batch = undefined;
    this.#flyingChars += chars;
    if (batch !== undefined) this.#flying.push(batch);
    const done = (error?: Error | null): void => {
      this.#flyingChars -= chars;
      // A stream that was destroyed before tells nobody but the writer.
      if (error) {
        this.#fail(error);
        return;
      }
      this.#written = posted;
      if (batch !== undefined) this.#landed(batch);
      // The stream tells of room before it calls back, when these bytes still counted.
      if (!this.#isBlocked) this.#onDrain();
    };
    if (parts.length > 0) output.cork();
    for (const part of parts) output.write(part);
    this.#isBlocked = !output.write(last, done);
    if (parts.length > 0) output.uncork();
  }

  /** Resolves when everything queued so far is with the operating system. */
  async drained(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.queued === 0) return;
    if (this.#queuedChars > 0) {
      this.#batch ??= openBatch();
      const { promise } = this.#batch;
      this.flush();
      return promise;
    }
    const batch = openBatch();
    this.#flying.push(batch);
    this.#output.write('', (error) => {
      if (error) this.#fail(error);
      else this.#landed(batch);
    });
    return batch.promise;
  }

  /** Lets go of the stream. Sends that wait reject with `error`; its errors stay caught. */
  stop(error: WireError): void {
    this.#failure ??= error;
    const waiting = [...this.#flying, this.#batch];
    this.#flying = [];
    this.#batch = undefined;
    this.#parts = [];
    this.#tail = '';
    this.#queuedChars = 0;
    for (const batch of waiting) batch?.reject(this.#failure);
    this.#output.off('drain', this.#drained);
    this.#output.off('close', this.#closed);
  }

  #landed(batch: Batch): void {
    this.#flying = this.#flying.filter((flying) => flying !== batch);
    batch.resolve();
  }

  readonly #flushLater = (): void => {
    this.#isScheduled = false;
    this.flush();
  };

  readonly #drained = (): void => {
    this.#isBlocked = false;
    this.flush();
  };

  readonly #fail = (error: Error): void => {
    if (this.#failure !== undefined) return;
    const failure = new WireError('IO', `could not write: ${error.message}`, { cause: error });
    this.stop(failure);
    this.#onError(failure);
  };

  readonly #closed = (): void => {
    this.#fail(new Error('the stream was closed'));
  };
}

function openBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (error: WireError) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise: quiet(promise), resolve, reject };
}

function rejected(error: WireError): Promise<void> {
  return quiet(Promise.reject(error));
}

/** Whoever awaits the promise sees the error; whoever does not must not be ended by it. */
function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
