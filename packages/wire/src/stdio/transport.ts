import type { Readable, Writable } from 'node:stream';
import { WireError } from '../errors.ts';
import { framingFromEnv } from './serve-stdio.ts';
import { type ProcessOptions, ServerProcess } from './server-process.ts';
import { guardStdout } from './stdout-guard.ts';
import { StreamTransport, type TransportOptions } from './stream-transport.ts';

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
    const { framing, maxMessageBytes, maxQueuedBytes, ...rest } = options;
    const { onStderr = () => undefined, ...process } = rest;
    super(
      {
        ...(framing && { framing }),
        ...(maxMessageBytes && { maxMessageBytes }),
        ...(maxQueuedBytes !== undefined && { maxQueuedBytes }),
      },
      false,
    );
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
    const child = await ServerProcess.start(this.#process, this.#onStderr);
    this.#child = child;
    if (this.isClosed) {
      await child.stop();
      throw new WireError('SHUTDOWN', 'the transport was closed while the server started');
    }
    this.attach(child.stdout, child.stdin);
    void child.ended.then(() => this.close());
  }

  protected async release(): Promise<void> {
    await this.#child?.stop();
  }
}
