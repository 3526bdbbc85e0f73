import { ProcessExitedError } from 'tincan-wire';
import type { ClientCapabilities, Implementation } from '../protocol/capabilities.ts';
import { type InputHandlers, inputCapabilities, inputMethods } from './input-handlers.ts';
import type { Line, OpenLine } from './line.ts';
import { McpClient } from './mcp-client.ts';
import {
  type Agreement,
  ASSUMED_MODERN,
  type ClientIdentity,
  discover,
  initialize,
} from './negotiate.ts';
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

/** Eras of servers met before in this process, by how they were started. */
const verdicts = new Map<string, 'legacy' | 'modern'>();

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
  const { era = 'auto', timeoutMs = 30_000, probeMs = 3000, signal } = options;
  const identity = identityOf(options);
  const wanted = era === 'auto' && key !== undefined ? (verdicts.get(key) ?? 'auto') : era;
  const abort = signal === undefined ? {} : { signal };
  const methods = inputMethods(options);
  let line = await open(methods);
  try {
    let agreement: Agreement | undefined;
    if (wanted !== 'legacy') {
      const budget = wanted === 'modern' ? timeoutMs : probeMs;
      try {
        agreement = await discover(line, identity, { timeoutMs: budget, ...abort });
      } catch (error) {
        if (!(error instanceof ProcessExitedError) || wanted === 'modern') throw error;
        // Some legacy servers leave at the first request they do not know.
        line = await reopen(line, open, methods);
      }
    }
    if (wanted === 'modern') agreement ??= ASSUMED_MODERN;
    agreement ??= await initialize(line, identity, { timeoutMs, ...abort });
    if (key !== undefined) verdicts.set(key, agreement.era);
    return new McpClient(line, agreement, identity, options);
  } catch (error) {
    await line.close().catch(() => undefined);
    throw error;
  }
}

async function reopen(line: Line, open: OpenLine, methods: Parameters<OpenLine>[0]): Promise<Line> {
  await line.close().catch(() => undefined);
  return open(methods);
}

function identityOf({ name, version, capabilities, ...handlers }: ClientOptions): ClientIdentity {
  const clientInfo: Implementation = { name: name ?? 'tincan', version: version ?? '0.1.0' };
  return { clientInfo, capabilities: { ...inputCapabilities(handlers), ...capabilities } };
}
