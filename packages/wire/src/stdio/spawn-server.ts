import { checkKeys } from '../check-option.ts';
import type { MethodTable } from '../jsonrpc/inbound-calls.ts';
import type { LineOptions, Peer } from '../jsonrpc/peer.ts';
import { Connection } from './connection.ts';
import type { RestartOptions } from './crash-budget.ts';
import { LINE_OPTIONS } from './serve-stdio.ts';
import type { ProcessOptions } from './server-process.ts';

/** Settings of {@link spawnServer}. */
export interface SpawnOptions extends ProcessOptions, LineOptions {
  /** What the server may call here. Default nothing. */
  readonly methods?: MethodTable;
  /** Runs on each new process before it is used; when it rejects, so does {@link spawnServer}. */
  readonly handshake?: (peer: Peer) => Promise<unknown>;
  /** Starts the server again when it crashes. Default off. */
  readonly restart?: boolean | RestartOptions;
  /** One request at a time, answers checked for their id. Default false. */
  readonly lockStep?: boolean;
  /** Gives up starting. */
  readonly signal?: AbortSignal;
}

const SPAWN_OPTIONS: readonly string[] = [
  ...LINE_OPTIONS,
  'command',
  'args',
  'env',
  'envPolicy',
  'cwd',
  'stderr',
  'shutdown',
  'methods',
  'handshake',
  'restart',
  'lockStep',
  'signal',
];

/** Starts a server process and connects to its stdin and stdout. */
export async function spawnServer(options: SpawnOptions): Promise<Connection> {
  checkKeys('spawnServer', options, SPAWN_OPTIONS);
  const { command, args, env, envPolicy, cwd, stderr, shutdown, ...rest } = options;
  const { handshake, restart = false, signal, tap, ...peer } = rest;
  return Connection.open(
    {
      process: defined({ command, args, env, envPolicy, cwd, stderr, shutdown }),
      peer: defined({ ...peer, tap }),
      tap,
      handshake,
      restart: restart === false ? undefined : restart === true ? {} : restart,
    },
    signal,
  );
}

/** Leaves out what was not given, so that defaults further down hold. */
function defined<T extends object>(options: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
