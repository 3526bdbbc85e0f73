import { ProcessExitedError } from '@tincan/wire';
import type { Implementation } from '../protocol/capabilities.ts';
import type { ClientOptions } from './connect.ts';
import { inputCapabilities, inputMethods } from './input-handlers.ts';
import type { Line, OpenLine } from './line.ts';
import { McpClient } from './mcp-client.ts';
import {
  type Agreement,
  ASSUMED_MODERN,
  type ClientIdentity,
  discover,
  initialize,
} from './negotiate.ts';

/** Eras of servers met before in this process, by how they were started. */
const verdicts = new Map<string, 'legacy' | 'modern'>();

/** Opens a line and agrees with the server on how to talk. */
export async function openClient(
  open: OpenLine,
  options: ClientOptions,
  key: string | undefined,
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
