import type { Readable, Writable } from 'node:stream';
import { checkCount } from '../check-option.ts';
import { ErrorCode, toWireError, WireError } from '../errors.ts';
import { type Decoded, type DecodedOversize, excerpt } from '../framing/decoded.ts';
import { FrameDecoder } from '../framing/frame-decoder.ts';
import {
  CLIENT_QUEUE_BYTES,
  FrameWriter,
  queueFull,
  SERVER_QUEUE_BYTES,
} from '../framing/frame-writer.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type Framing } from '../framing/framing.ts';
import { findRawId } from '../framing/json-scan.ts';
import { answersRequest, isResponse } from '../jsonrpc/inbound-calls.ts';
import { JunkAnswers } from '../jsonrpc/junk-answers.ts';
import { errorText } from '../jsonrpc/message.ts';
import { settlesWithin } from '../settles-within.ts';
import { UnansweredCalls } from './unanswered-calls.ts';

/** A JSON-RPC message of any kind, as the official MCP SDKs type it. */
// biome-ignore lint/suspicious/noExplicitAny: both SDKs have a type of their own for this, and one must fit both
type AnyMessage = any;

/** Settings of the transports. */
export interface TransportOptions {
  readonly framing?: 'auto' | Framing;
  readonly maxMessageBytes?: number;
  /**
   * Bytes of answers that wait to be read before no further message is delivered (server), or of messages before
   * {@link StreamTransport.send} refuses more with `QUEUE_FULL`. Default 16 MiB in a server, 64 MiB in a client.
   */
  readonly maxQueuedBytes?: number;
}

/** Time for calls in flight to be answered after the end of input. */
const DRAIN_MS = 2000;
/** Time for what was sent to leave before the transport lets go. */
const FLUSH_MS = 500;

/**
 * What both transports share: messages over two streams, with the members the official MCP SDKs expect
 * of a transport. Made for `connect(transport)` of either SDK generation.
 */
export abstract class StreamTransport {
  onmessage?: ((message: AnyMessage) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly #options: TransportOptions;
  readonly #isServer: boolean;
  readonly #unanswered = new UnansweredCalls();
  readonly #junkAnswers = new JunkAnswers();
  #writer: FrameWriter | undefined;
  readonly #maxQueued: number;
  /** What was read and is delivered when the answers before it have left. */
  #waiting: readonly Decoded[] = [];
  #input: Readable | undefined;
  #isPaused = false;
  #isFramingOpen: boolean;
  #closing: Promise<void> | undefined;

  constructor(options: TransportOptions, isServer: boolean) {
    this.#options = options;
    this.#isServer = isServer;
    const { maxQueuedBytes = isServer ? SERVER_QUEUE_BYTES : CLIENT_QUEUE_BYTES } = options;
    this.#maxQueued = checkCount('maxQueuedBytes', maxQueuedBytes, { min: 1, infinite: true });
    this.#isFramingOpen = (options.framing ?? 'auto') === 'auto';
  }

  abstract start(): Promise<void>;

  async send(message: AnyMessage): Promise<void> {
    if (this.#writer === undefined || this.isClosed) {
      throw new WireError('SHUTDOWN', 'the transport is not open');
    }
    if (this.#isCongested && !(this.#isServer && isResponse(message))) {
      throw queueFull(this.#writer.queued, this.#maxQueued);
    }
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      throw toWireError(error, 'SERIALIZE');
    }
    const sent = this.#writer.send(text);
    this.#unanswered.onSent(message);
    await sent;
  }

  /** Sends what is queued and lets go of everything. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  protected get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Lets go of what the transport holds besides the streams. */
  protected abstract release(): Promise<void>;

  protected attach(input: Readable, output: Writable): void {
    if (this.#writer !== undefined)
      throw new WireError('BAD_STATE', 'the transport was started already');
    const { framing = 'auto', maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.#options;
    const decoder = new FrameDecoder({ maxMessageBytes, lenient: !this.#isServer });
    this.#input = input;
    this.#writer = new FrameWriter(output, {
      framing: framing === 'auto' ? 'line' : framing,
      onError: (error) => this.#fail(error),
      onDrain: () => {
        if (this.#isPaused) this.#take([]);
      },
    });
    input.on('data', (chunk: Buffer) => this.#take(decoder.push(chunk)));
    input.on('error', (error) => this.#fail(toWireError(error, 'IO')));
    input.on('end', () => {
      this.#take(decoder.end());
      // A server answers what it was asked before it closes.
      const answered = this.#isServer ? this.#unanswered.settled() : Promise.resolve();
      void settlesWithin(answered, DRAIN_MS).then(() => this.close());
    });
  }

  async #close(): Promise<void> {
    const writer = this.#writer;
    if (writer !== undefined) await settlesWithin(writer.drained(), FLUSH_MS);
    writer?.stop(new WireError('SHUTDOWN', 'the transport was closed'));
    await this.release();
    this.onclose?.();
  }

  get #isCongested(): boolean {
    return this.#writer !== undefined && this.#writer.queued > this.#maxQueued;
  }

  /** A server delivers nothing, and reads nothing, while too many bytes of its answers wait. */
  #take(decoded: readonly Decoded[]): void {
    const items = this.#waiting.length === 0 ? decoded : [...this.#waiting, ...decoded];
    let next = 0;
    while (next < items.length && !(this.#isServer && this.#isCongested)) {
      this.#handle(items[next++] as Decoded);
    }
    this.#waiting = items.slice(next);
    const isFull = this.#isServer && this.#isCongested;
    if (isFull === this.#isPaused || this.isClosed) return;
    this.#isPaused = isFull;
    if (isFull) this.#input?.pause();
    else this.#input?.resume();
  }

  #handle(item: Decoded): void {
    if (item.kind === 'message') {
      this.#settleFraming(item.framing, item.value);
      // The SDKs know no batches: each call is answered by itself.
      if (Array.isArray(item.value)) for (const message of item.value) this.#deliver(message);
      else this.#deliver(item.value);
    } else if (item.kind === 'junk') this.#onJunk(item.reason, item.text);
    else if (item.kind === 'oversize') this.#onOversize(item);
    else this.onerror?.(new WireError('PARSE', `${item.reason}: ${excerpt(item.text)}`));
  }

  #deliver(message: unknown): void {
    if (this.#isServer) this.#unanswered.onReceived(message);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toWireError(error, 'PARSE'));
    }
  }

  #settleFraming(framing: Framing, first: unknown): void {
    if (!this.#isFramingOpen) return;
    this.#isFramingOpen = false;
    // An answer proves that the server reads what this client writes.
    const follows = this.#isServer || !answersRequest(first);
    if (follows && this.#writer !== undefined) this.#writer.framing = framing;
  }

  #onJunk(reason: string, text: string): void {
    const answer = this.#isServer ? this.#junkAnswers.next(reason, performance.now()) : undefined;
    if (answer !== undefined) this.#writer?.post(answer);
    this.onerror?.(new WireError('PARSE', `expected a message, got \`${excerpt(text)}\``));
  }

  #onOversize({ head, size, limit }: DecodedOversize): void {
    const message = `a message of ${size} bytes is over the limit of ${limit}`;
    if (this.#isServer) {
      const error = { code: ErrorCode.InvalidRequest, message, data: { limit, size } };
      this.#writer?.post(errorText(findRawId(head) ?? 'null', error));
    }
    this.onerror?.(new WireError('TOO_LARGE', message));
  }

  #fail(error: WireError): void {
    this.onerror?.(error);
    void this.close();
  }
}
