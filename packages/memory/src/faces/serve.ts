import { existsSync } from 'node:fs';
import type { McpServer } from 'tincan-mcp';
import { type Peer, runServer } from 'tincan-wire';
import type { Settings, Toolset } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';
import { callsTo, LazyMemory } from './call.ts';
import { DriverWarning } from './driver-warning.ts';
import { EmbeddingLog } from './embedding-log.ts';
import { inOrder } from './in-order.ts';
import { createMemoryServer, type McpFaceOptions } from './mcp.ts';
import { pacedReads } from './paced-reads.ts';
import { firstOf, memoryMethods } from './rpc.ts';

/** Largest message or body taken, unless told otherwise. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** How long a new server does nothing of its own accord. */
const QUIET_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How the memory is served. */
export interface ServeMemoryOptions {
  /** Default: the configuration's. */
  readonly transport?: 'stdio' | 'http' | undefined;
  /** Of the HTTP face; default: the configuration's. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Tools that MCP clients get; default: the configuration's. */
  readonly toolset?: Toolset | undefined;
  /** Largest message or body taken. Default 1 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Whether HTTP clients must send the token. Default true; false is refused beyond loopback. */
  readonly requireToken?: boolean | undefined;
  /** How long an MCP session over HTTP may be without traffic. Default 600,000. */
  readonly sessionTimeoutMs?: number | undefined;
  /** Called on stdio with each line typed in a terminal that is not JSON. */
  readonly onText?: ((line: string) => void) | undefined;
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
  const warning = new DriverWarning();
  afterFirstAnswers(memory, warning);
  if (transport === 'http') await serveHttp(memory, warning, options);
  else await serveStdio(memory, warning, options);
}

async function serveStdio(
  memory: LazyMemory,
  warning: DriverWarning,
  { toolset, maxMessageBytes = MAX_MESSAGE_BYTES, onText }: ServeMemoryOptions,
): Promise<never> {
  let client: Peer | undefined;
  const room = async (): Promise<void> => client?.room();
  const call = inOrder(pacedReads(warning.around(callsTo(memory.get)), room));
  // A client starts the server of a project in its folder.
  const session = mcpServer(memory, { call, toolset, defaultProject: '.' }).session();
  return runServer(firstOf(memoryMethods(call), session), {
    maxMessageBytes,
    onPeer: (peer) => {
      client = peer;
      session.attach(peer);
      peer.once('draining', () => session.end());
    },
    onClose: () => memory.close(),
    ...(onText !== undefined && { onText }),
  });
}

async function serveHttp(
  memory: LazyMemory,
  warning: DriverWarning,
  options: ServeMemoryOptions,
): Promise<void> {
  const { http } = memory.settings;
  const { host = http.host, port = http.port, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const [{ HttpFace }, { accessFor }] = await Promise.all([
    import('./http.ts'),
    import('./http-access.ts'),
  ]);
  let listening: { room(): Promise<void> } | undefined;
  const room = async (): Promise<void> => listening?.room();
  const call = pacedReads(warning.around(callsTo(memory.get)), room);
  const face = await HttpFace.open({
    methods: memoryMethods(call),
    mcp: mcpServer(memory, { call, toolset: options.toolset }),
    host,
    port,
    access: accessFor(host, memory.settings, { requireToken: options.requireToken ?? true }),
    maxBodyBytes: maxMessageBytes,
    sessionTimeoutMs: options.sessionTimeoutMs,
  }).catch((cause: unknown) => {
    if (cause instanceof MemoryError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isTaken = Reflect.get(Object(cause), 'code') === 'EADDRINUSE';
    const fix = isTaken
      ? '; stop the program that uses the port, or choose another with `--port`'
      : '';
    const message = `cannot listen on \`${host}:${port}\`: ${reason}${fix}`;
    throw new MemoryError('CONFIG', message, { cause });
  });
  listening = face;
  options.onListening?.(face.url);
  await ended(options.signal);
  await face.close();
  await memory.close();
}

function mcpServer(
  memory: LazyMemory,
  {
    call,
    defaultProject,
    toolset = memory.settings.toolset.name,
  }: Pick<McpFaceOptions, 'call' | 'defaultProject' | 'toolset'>,
): McpServer {
  const server = createMemoryServer({
    ...{ call, defaultProject, toolset },
    listProjects: async () => (await memory.get()).listProjects(),
  });
  const log = new EmbeddingLog((message) => server.log('info', message, 'memory'));
  memory.onProgress = log.report;
  return server;
}

/** Once the first answers are out: a missing driver is reported, and notes left without a vector get one. */
function afterFirstAnswers(memory: LazyMemory, warning: DriverWarning): void {
  const { path } = memory.settings.store;
  const timer = setTimeout(() => {
    void warning.check();
    // A store that nobody has written to is not made for the sake of looking.
    if (path === null || !existsSync(path)) return;
    memory.get().then(
      (loaded) => loaded.resume(),
      // The first call meets the same failure, and has somebody to tell.
      () => undefined,
    );
  }, QUIET_MS);
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
