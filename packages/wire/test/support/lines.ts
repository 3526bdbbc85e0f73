import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { FrameDecoder } from '../../src/framing/frame-decoder.ts';
import { encodeFrame, type Framing } from '../../src/framing/framing.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { Peer, type PeerOptions, type Remark } from '../../src/jsonrpc/peer.ts';
import { type ServeOptions, serveStdio } from '../../src/stdio/serve-stdio.ts';

/** Both ways to mark off a message. */
export const FRAMINGS: readonly Framing[] = ['line', 'header'];

/** The members a test looks at, whatever kind of message it is. */
export interface Heard {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Messages in the bytes an end wrote. Fails on anything in them that is not a message. */
export function messagesIn(bytes: Buffer): Heard[] {
  const decoder = new FrameDecoder();
  return [...decoder.push(bytes), ...decoder.end()].map((item) => {
    if (item.kind !== 'message') throw new Error(`wrote ${JSON.stringify(item)}`);
    return item.value as Heard;
  });
}

/** Feeds `inputs` to a server, ends its input, and returns everything it wrote. */
export async function serveBytes(
  methods: Readonly<Record<string, Handler>>,
  inputs: readonly (string | Buffer)[],
  options: ServeOptions = {},
): Promise<Buffer> {
  const input = new PassThrough();
  const output = new PassThrough();
  const written: Buffer[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk));
  for (const bytes of inputs) input.write(bytes);
  input.end();
  await serveStdio(new Dispatcher(methods), { input, output, ...options });
  return Buffer.concat(written);
}

/** Like {@link serveBytes}, with one frame for each text, and the messages of the output. */
export async function serveTexts(
  methods: Readonly<Record<string, Handler>>,
  texts: readonly string[],
  framing: Framing = 'line',
  options: ServeOptions = {},
): Promise<Heard[]> {
  const frames = texts.map((text) => encodeFrame(text, framing));
  return messagesIn(await serveBytes(methods, frames, options));
}

/** One end under test and a script of raw bytes for the other. */
export class Line {
  readonly peer: Peer;
  readonly toPeer: PassThrough = new PassThrough();
  readonly fromPeer: PassThrough = new PassThrough();
  readonly remarks: Remark[] = [];
  readonly strays: string[] = [];
  readonly notifications: [method: string, params: unknown][] = [];
  readonly #framing: Framing;
  readonly #decoder = new FrameDecoder();
  readonly #heard: Heard[] = [];
  #wake: () => void = () => undefined;

  constructor(options: Partial<PeerOptions> = {}, framing: Framing = 'line') {
    this.#framing = framing;
    this.peer = new Peer({
      role: 'client',
      input: this.toPeer,
      output: this.fromPeer,
      defaultFraming: framing,
      ...options,
    });
    this.peer.on('remark', (remark) => this.remarks.push(remark));
    this.peer.on('stray', (text) => this.strays.push(text));
    this.peer.on('notification', (...args) => this.notifications.push(args));
    this.listen();
  }

  /** Begins to read what the peer writes. */
  listen(): void {
    this.fromPeer.on('data', (chunk: Buffer) => {
      for (const item of this.#decoder.push(chunk)) {
        if (item.kind === 'message') this.#heard.push(item.value as Heard);
      }
      this.#wake();
    });
  }

  /** Sends one message, or several in one chunk. */
  say(...messages: (object | string)[]): void {
    const texts = messages.map((it) => (typeof it === 'string' ? it : JSON.stringify(it)));
    this.toPeer.write(texts.map((text) => encodeFrame(text, this.#framing)).join(''));
  }

  /** The next message of the peer. */
  async hear(): Promise<Heard> {
    for (;;) {
      const next = this.#heard.shift();
      if (next !== undefined) return next;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Messages the peer wrote that no one has asked for, once everything under way has settled. */
  async rest(): Promise<Heard[]> {
    await this.settled();
    return this.#heard.splice(0);
  }

  /** Lets everything under way on both streams arrive. */
  async settled(): Promise<void> {
    for (let i = 0; i < 5; i++) await turn();
  }

  async end(): Promise<void> {
    const ended = once(this.peer, 'end');
    this.toPeer.end();
    await ended;
  }
}

/** A promise and the functions that settle it. */
export interface Gate<T = void> {
  readonly promise: Promise<T>;
  readonly open: (value: T) => void;
  readonly fail: (error: unknown) => void;
}

export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Lets the event loop turn until something holds, or fails after very many turns. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100_000; turns++) {
    if (holds()) return;
    await turn();
  }
  throw new Error(`never held: ${holds}`);
}
