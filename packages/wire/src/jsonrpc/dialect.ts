import type { RpcErrorObject, RpcId } from './message.ts';

/** One report on the way to an answer. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A key of requests under way: of type string or number in every protocol known. */
export type ProgressToken = string | number;

/** How a protocol on top of JSON-RPC spells cancellation and progress. */
export interface Dialect {
  /** Notification that asks the other end to stop working on a request. */
  cancelCall(id: RpcId, reason: string): { readonly method: string; readonly params: object };
  /** Error sent for a cancelled request; undefined where the protocol wants silence. */
  readonly cancelAnswer: RpcErrorObject | undefined;
  /** Methods whose requests may never be cancelled. */
  readonly uncancellable?: ReadonlySet<string>;
  /** Notification that reports progress. */
  progressCall(
    token: ProgressToken,
    progress: Progress,
  ): { readonly method: string; readonly params: object };
  /** Token the caller put into the parameters, if it wants progress. */
  tokenOf(params: unknown): ProgressToken | undefined;
  /** The same parameters with a token put in. */
  withToken(params: object | undefined, token: ProgressToken): object;
}

const UNCANCELLABLE: ReadonlySet<string> = new Set(['initialize']);

/** The Model Context Protocol's spelling; the default. */
export const mcpDialect: Dialect = {
  cancelCall: (requestId, reason) => ({
    method: 'notifications/cancelled',
    params: { requestId, reason },
  }),
  cancelAnswer: undefined,
  uncancellable: UNCANCELLABLE,
  progressCall: (progressToken, progress) => ({
    method: 'notifications/progress',
    params: { progressToken, ...progress },
  }),
  tokenOf: (params) => asToken(member(member(params, '_meta'), 'progressToken')),
  withToken: (params, progressToken) => {
    const meta = member(params, '_meta');
    return { ...params, _meta: { ...(typeof meta === 'object' ? meta : {}), progressToken } };
  },
};

/** The Language Server Protocol's spelling. */
export const lspDialect: Dialect = {
  cancelCall: (id) => ({ method: '$/cancelRequest', params: { id } }),
  cancelAnswer: { code: -32800, message: 'Request cancelled' },
  uncancellable: UNCANCELLABLE,
  progressCall: (token, value) => ({ method: '$/progress', params: { token, value } }),
  tokenOf: (params) => asToken(member(params, 'workDoneToken')),
  withToken: (params, workDoneToken) => ({ ...params, workDoneToken }),
};

/** Id named by a cancellation in either spelling; undefined when the notification is something else. */
export function cancelledId(method: string, params: unknown): unknown {
  const name = cancelledParam(method);
  return name === undefined ? undefined : member(params, name);
}

/** Name of the param of a cancellation that holds the id; undefined for any other method. */
export function cancelledParam(method: string): 'requestId' | 'id' | undefined {
  if (method === 'notifications/cancelled') return 'requestId';
  return method === '$/cancelRequest' ? 'id' : undefined;
}

/** Token and report of a progress notification in either spelling. */
export function readProgress(
  method: string,
  params: unknown,
): { token: unknown; progress: Progress } | undefined {
  if (method === 'notifications/progress') {
    const { progressToken, ...progress } = params as Progress & { progressToken: unknown };
    return { token: progressToken, progress };
  }
  if (method === '$/progress') {
    return { token: member(params, 'token'), progress: member(params, 'value') as Progress };
  }
  return undefined;
}

/** A member of whatever came over the wire. */
function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function asToken(value: unknown): ProgressToken | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
