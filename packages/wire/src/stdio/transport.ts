import type { Readable, Writable } from 'node:stream';
import { ErrorCode, toWireError, WireError } from '../errors.ts';
import { FrameDecoder } from '../framing/frame-decoder.ts';
import { FrameWriter } from '../framing/frame-writer.ts';
import type { Framing } from '../framing/framing.ts';
import { errorText } from '../jsonrpc/message.ts';
import { framingFromEnv } from './serve-stdio.ts';
import { type ProcessOptions, ServerProcess } from './server-process.ts';
import { guardStdout } from './stdout-guard.ts';

/** A JSON-RPC message of any kind, as the official MCP SDKs type it. */
// biome-ignore lint/suspicious/noExplicitAny: both SDKs have a type of their own for this, and one must fit both
type AnyMessage = any;

/** Settings of the transports. */
export interface TransportOptions {
  readonly framing?: 'auto' | Framing;
  readonly maxMessageBytes?: number;
}

/**
 * What both transports share: messages over two streams, with the members the official MCP SDKs expect
 * of a transport. Made for `connect(transport)` of either SDK generation.
 */
abstract class StreamTransport {
  onmessage?: ((message: AnyMessage) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly #options: TransportOptions;
  readonly #isServer: boolean;
  #writer: FrameWriter | undefined;
  #isClosed = false;

  constructor(options: TransportOptions, isServer: boolean) {
    this.#options = options;
    this.#isServer = isServer;
  }

  abstract start(): Promise<void>;

  async send(message: AnyMessage): Promise<void> {
    if (this.#writer === undefined || this.#isClosed) {
      throw new WireError('SHUTDOWN', 'the transport is not open');
    }
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      throw toWireError(error, 'SERIALIZE');
    }
    await this.#writer.send(text);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writer?.drained().catch(() => undefined);
    this.#writer?.stop(new WireError('SHUTDOWN', 'the transport was closed'));
    await this.release();
    this.onclose?.();
  }

  /** Lets go of what the transport holds besides the streams. */
  protected abstract release(): Promise<void>;

  protected attach(input: Readable, output: Writable): void {
    if (this.#writer !== undefined)
      throw new WireError('BAD_STATE', 'the transport was started already');
    const { framing = 'auto', ...limits } = this.#options;
    const decoder = new FrameDecoder({ ...limits, lenient: !this.#isServer });
    const writer = new FrameWriter(output, {
      framing: framing === 'auto' ? 'line' : framing,
      onError: (error) => this.#fail(error),
    });
    this.#writer = writer;
    let isFirst = framing === 'auto';
    const take = (decoded: ReturnType<FrameDecoder['push']>): void => {
      for (const item of decoded) {
        if (item.kind === 'message') {
          if (isFirst) writer.framing = item.framing;
          isFirst = false;
          for (const message of Array.isArray(item.value) ? item.value : [item.value]) {
            this.onmessage?.(message);
          }
        } else if (item.kind !== 'warning') this.#onJunk(item.kind);
      }
    };
    input.on('data', (chunk: Buffer) => take(decoder.push(chunk)));
    input.on('error', (error) => this.#fail(toWireError(error, 'IO')));
    input.on('end', () => {
      take(decoder.end());
      // What the end of input asked for is answered before the transport closes.
      setImmediate(() => void this.close());
    });
  }

  #onJunk(kind: 'junk' | 'oversize'): void {
    if (this.#isServer) {
      const isJunk = kind === 'junk';
      const code = isJunk ? ErrorCode.ParseError : ErrorCode.InvalidRequest;
      this.#writer?.post(
        errorText('null', { code, message: isJunk ? 'Parse error' : 'message too large' }),
      );
    }
    const wire = kind === 'junk' ? 'PARSE' : 'TOO_LARGE';
    this.onerror?.(new WireError(wire, `the other end sent ${kind} input`));
  }

  #fail(error: WireError): void {
    this.onerror?.(error);
    void this.close();
  }
}

/** The server end of stdio for a server built on an official MCP SDK. */
export class StdioServerTransport extends StreamTransport {
  readonly #streams: { readonly input: Readable; readonly output: Writable } | undefined;

  /** Without streams, takes stdin and stdout and guards them. */
  constructor(
    options: TransportOptions & { readonly input?: Readable; readonly output?: Writable } = {},
  ) {
    const { input, output, ...rest } = options;
    super({ framing: framingFromEnv(process.env), ...rest }, true);
    if (input !== undefined && output !== undefined) this.#streams = { input, output };
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams ?? (await guardStdout());
    this.attach(input, output);
  }

  protected async release(): Promise<void> {
    this.#streams?.input.pause();
    // Nothing can come after the last message: the process may end.
    if (this.#streams === undefined) (await guardStdout()).input.destroy();
  }
}

/** The client end of stdio for a client built on an official MCP SDK: spawns the server and ends it. */
export class StdioClientTransport extends StreamTransport {
  readonly #process: ProcessOptions;
  readonly #onStderr: (line: string) => void;
  #child: ServerProcess | undefined;

  constructor(
    options: TransportOptions & ProcessOptions & { readonly onStderr?: (line: string) => void },
  ) {
    const { framing, maxMessageBytes, onStderr = () => undefined, ...process } = options;
    super({ ...(framing && { framing }), ...(maxMessageBytes && { maxMessageBytes }) }, false);
    this.#process = process;
    this.#onStderr = onStderr;
  }

  /** Process id of the server, once started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    if (this.#child !== undefined)
      throw new WireError('BAD_STATE', 'the transport was started already');
    this.#child = await ServerProcess.start(this.#process, this.#onStderr);
    this.attach(this.#child.stdout, this.#child.stdin);
    void this.#child.ended.then(() => this.close());
  }

  protected async release(): Promise<void> {
    await this.#child?.stop();
  }
}
