import { PassThrough } from 'node:stream';
import { encodeFrame, FrameDecoder, serveStdio } from 'tincan-wire';
import { createMcpFace } from '../../src/faces/mcp.ts';
import type { Bench } from './bench.ts';

/** The MCP face on a pair of streams, in this process. */
export interface Line extends AsyncDisposable {
  /** Sends bytes as they are. */
  write(bytes: string | Buffer): void;
  /** Sends a message in a frame. */
  send(message: unknown, framing?: 'line' | 'header'): void;
  /** Resolves with the next message, in the order they come. */
  next(): Promise<Record<string, unknown>>;
  /** Every byte received so far. */
  bytes(): string;
  /** How many writes those bytes came in. */
  writes(): number;
  /** Ends the input and gives every message that was not taken yet. */
  end(): Promise<Record<string, unknown>[]>;
}

export function openLine(bench: Bench, errors: 'reference' | 'spec' = 'reference'): Line {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = createMcpFace({ version: '9.9.9', errors, answerer: async () => bench.answerer });
  const session = server.session();
  const served = serveStdio(session, { input, output, onPeer: (peer) => session.attach(peer) });
  const decoder = new FrameDecoder({});
  const received: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  let bytes = '';
  let writes = 0;
  output.on('data', (chunk: Buffer) => {
    bytes += chunk.toString('utf8');
    writes++;
    for (const decoded of decoder.push(chunk)) {
      if (decoded.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(decoded)}`);
      const message = decoded.value as Record<string, unknown>;
      const take = waiting.shift();
      if (take === undefined) received.push(message);
      else take(message);
    }
  });
  const end = async (): Promise<Record<string, unknown>[]> => {
    input.end();
    await served;
    return received.splice(0);
  };
  return {
    write: (data) => void input.write(data),
    send: (message, framing = 'line') =>
      void input.write(encodeFrame(JSON.stringify(message), framing)),
    next() {
      const ready = received.shift();
      if (ready !== undefined) return Promise.resolve(ready);
      return new Promise((resolve) => waiting.push(resolve));
    },
    bytes: () => bytes,
    writes: () => writes,
    end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/** A `tools/call` of the `answer` tool. */
export function call(id: number | string, query: string, more: object = {}): object {
  const params = { name: 'answer', arguments: { query }, ...more };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}
