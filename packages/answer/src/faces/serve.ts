import type { Answerer } from '../answer/answerer.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { createMcpFace } from './mcp.ts';

/** What serving needs. */
export interface ServeAnswersOptions {
  readonly version: string;
  readonly config: AnswerConfig;
  /** Loads what answers questions; called once, at the first question. */
  readonly open: () => Promise<Answerer>;
  readonly logger: Logger;
  /** Takes text for stderr. */
  readonly report: (text: string) => void;
}

// A client that dies ends our input first, so this runs only while answers are under way after that.
const clientWatchMs = 10;

/**
 * Makes this process the MCP server. A client that only closes its end still gets the answers under
 * way, so that questions can be piped in; one that is gone costs nothing more.
 */
export async function serveAnswers(options: ServeAnswersOptions): Promise<never> {
  const { version, config, open, logger, report } = options;
  // Taken now: a client that dies has changed it by the time the input ends.
  const parent = process.ppid;
  let answerer: Promise<Answerer> | undefined;
  const openOnce = (): Promise<Answerer> => {
    answerer ??= open();
    return answerer;
  };
  const abandon = async (): Promise<void> => {
    await (await answerer)?.close();
  };
  const server = createMcpFace({ version, errors: config.errors, answerer: openOnce });
  return server.serve({
    // Longer than any call may take: what is under way has limits of its own.
    drainMs: config.request.timeoutMs + 1_000,
    onRemark: ({ code, message }) => logger.info(`${code}: ${message}`),
    onPeer(peer) {
      let isInputOver = false;
      peer.once('end', () => {
        isInputOver = true;
        watchClient(parent, () => void abandon());
      });
      peer.once('draining', () => {
        if (!isInputOver) void abandon();
      });
    },
    async onClose() {
      const opened = await answerer;
      await opened?.close();
      if (config.server.usageOnExit) report(`${JSON.stringify(opened?.totals() ?? {})}\n`);
    },
  });
}

/** After the end of input only these tell that nobody waits for the answers any more. */
function watchClient(parent: number, onGone: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, clientWatchMs);
  timer.unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onGone);
}
