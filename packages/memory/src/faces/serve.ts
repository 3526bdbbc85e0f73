import { existsSync } from 'node:fs';
import type { McpServer } from '@tincan/mcp';
import { runServer } from '@tincan/wire';
import type { Settings } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';
import { type Call, callsTo, LazyMemory } from './call.ts';
import { EmbeddingLog } from './embedding-log.ts';
import { inOrder } from './in-order.ts';
import { createMemoryServer } from './mcp.ts';
import { firstOf, memoryMethods } from './rpc.ts';

/** Largest message or body taken, unless told otherwise. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Calls of one client that run at the same time: each makes its answer before it can know that others wait. */
const MAX_CONCURRENT_CALLS = 16;
/** Time after which a server with nothing to do looks for what an earlier one left undone. */
const RESUME_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How the memory is served. */
export interface ServeMemoryOptions {
  /** Default: the configuration's. */
  readonly transport?: 'stdio' | 'http' | undefined;
  /** Of the HTTP face; default: the configuration's. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Largest message or body taken. Default 1 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Whether HTTP clients must send the token. Default true; false is refused beyond loopback. */
  readonly requireToken?: boolean | undefined;
  /** How long an MCP session over HTTP may be without traffic. Default 600,000. */
  readonly sessionTimeoutMs?: number | undefined;
  /** Ends the HTTP face, as SIGINT and SIGTERM do. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the address once the HTTP face can be reached. */
  readonly onListening?: ((url: string) => void) | undefined;
}

/**
 * Serves the memory until the client or a signal ends it. Nothing is opened before the first call that
 * needs it. On stdio this process belongs to the server: it ends with it.
 */
export async function serveMemory(
  settings: Settings,
  options: ServeMemoryOptions = {},
): Promise<void> {
  const memory = new LazyMemory(settings);
  const { transport = settings.transportDefaults.defaultTransport } = options;
  resumeLater(memory);
  if (transport === 'http') await serveHttp(memory, options);
  else await serveStdio(memory, options);
}

async function serveStdio(
  memory: LazyMemory,
  { maxMessageBytes = MAX_MESSAGE_BYTES }: ServeMemoryOptions,
): Promise<never> {
  const call = inOrder(callsTo(memory.get));
  // A client starts the server of a project in its folder.
  const session = mcpServer(memory, { call, defaultProject: '.' }).session();
  return runServer(firstOf(memoryMethods(call), session), {
    maxMessageBytes,
    maxConcurrency: MAX_CONCURRENT_CALLS,
    onPeer: (peer) => {
      session.attach(peer);
      peer.once('draining', () => session.end());
    },
    onClose: () => memory.close(),
  });
}

async function serveHttp(memory: LazyMemory, options: ServeMemoryOptions): Promise<void> {
  const { http } = memory.settings;
  const { host = http.host, port = http.port, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const [{ HttpFace }, { accessFor }] = await Promise.all([
    import('./http.ts'),
    import('./http-access.ts'),
  ]);
  const call = callsTo(memory.get);
  const face = await HttpFace.open({
    methods: memoryMethods(call),
    mcp: mcpServer(memory, { call }),
    host,
    port,
    access: accessFor(host, memory.settings, { requireToken: options.requireToken ?? true }),
    maxBodyBytes: maxMessageBytes,
    sessionTimeoutMs: options.sessionTimeoutMs,
  }).catch((cause: unknown) => {
    if (cause instanceof MemoryError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MemoryError('CONFIG', `cannot listen on \`${host}:${port}\`: ${reason}`, { cause });
  });
  options.onListening?.(face.url);
  await ended(options.signal);
  await face.close();
  await memory.close();
}

function mcpServer(
  memory: LazyMemory,
  options: { readonly call: Call; readonly defaultProject?: string },
): McpServer {
  const server = createMemoryServer({
    ...options,
    listProjects: async () => (await memory.get()).listProjects(),
  });
  const log = new EmbeddingLog((message) => server.log('info', message, 'memory'));
  memory.onProgress = log.report;
  return server;
}

/** Notes that an earlier process left without a vector get one, once the first answers are out. */
function resumeLater(memory: LazyMemory): void {
  const { path } = memory.settings.store;
  const timer = setTimeout(() => {
    // A store that nobody has written to is not made for the sake of looking.
    if (path === null || !existsSync(path)) return;
    memory.get().then(
      (loaded) => loaded.resume(),
      // The first call meets the same failure, and has somebody to tell.
      () => undefined,
    );
  }, RESUME_MS);
  timer.unref();
}

/** Resolves at the first of the signals; a second one ends the process at once. */
function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const name of SIGNALS) process.off(name, stop).on(name, () => process.exit(1));
      resolve();
    };
    for (const name of SIGNALS) process.on(name, stop);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
