import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { InputHandlers } from './input-handlers.ts';
import type { OpenLine } from './line.ts';
import type { McpClient } from './mcp-client.ts';
import { type StdioServer, stdioLine } from './stdio-line.ts';

/** How a client introduces itself. */
export interface ClientOptions extends InputHandlers {
  readonly name?: string;
  readonly version?: string;
  /** Capabilities beyond those that follow from the functions given. */
  readonly capabilities?: ClientCapabilities;
  /** `auto` (default) asks the server; `legacy` and `modern` say what it is. */
  readonly era?: 'auto' | 'legacy' | 'modern';
  /** How long a server may take to say that it is a modern one. Default 3,000. */
  readonly probeMs?: number;
  /** How long the handshake may take. Default 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Starts a server and agrees with it on how to talk. */
export function connect(server: StdioServer, options: ClientOptions = {}): Promise<McpClient> {
  const key = JSON.stringify([server.command, server.args, server.cwd, server.env]);
  return connectLine(stdioLine(server), options, key);
}

/** The same over any line. `key` names the server among those whose era is remembered. */
export async function connectLine(
  open: OpenLine,
  options: ClientOptions = {},
  key?: string,
): Promise<McpClient> {
  // Servers never need it, and most of those who import this package are servers.
  const { openClient } = await import('./open-client.ts');
  return openClient(open, options, key);
}
