import type { IncomingHttpHeaders } from 'node:http';
import { handleMessage, type Outlet, RpcError, WireError } from 'tincan-wire';
import { META_VERSION, metaOf, readEnvelope } from '../protocol/envelope.ts';
import { McpErrorCode } from '../protocol/error-codes.ts';
import { decodeHeaderValue } from '../protocol/header-value.ts';
import { paramHeadersOf } from '../protocol/param-headers.ts';
import { isModernVersion } from '../protocol/revisions.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { ModernBackend } from './backend.ts';
import { type Reply, statusOf } from './reply.ts';

/** A message as it came in a body. */
export interface PostedMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** Parameter that the `Mcp-Name` header repeats, by method. */
export const NAMED_PARAMETER: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Whether a POST belongs to the modern era. */
export function isModernPost(headers: IncomingHttpHeaders, message: PostedMessage): boolean {
  if (message.method === 'server/discover') return true;
  if (isModernVersion(headers['mcp-protocol-version'])) return true;
  const meta = metaOf(message.params);
  return meta !== undefined && META_VERSION in meta;
}

/** Serves one modern POST. Closing the connection cancels the request. */
export async function serveModernPost(
  backend: ModernBackend,
  {
    message,
    text,
    headers,
  }: {
    readonly message: PostedMessage;
    readonly text: string;
    readonly headers: IncomingHttpHeaders;
  },
  { reply, signal }: { readonly reply: Reply; readonly signal: AbortSignal },
): Promise<void> {
  const id = message.id ?? null;
  if (message.id !== undefined) {
    const problem = headerProblem(headers, message, backend);
    if (problem !== undefined) {
      reply.error(400, McpErrorCode.HeaderMismatch, problem, id);
      return;
    }
    try {
      readEnvelope(message.params);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      reply.error(400, error.rpcCode, error.message, id, error.data);
      return;
    }
  }
  const answer = await handleMessage(backend.methods, text, {
    signal,
    outlet: streamOutlet(reply),
  });
  reply.finish(answer, reply.isStreaming ? 200 : statusOf(answer));
}

/** Notifications of a request travel on its own stream; a modern server asks nothing back. */
function streamOutlet(reply: Reply): Outlet {
  return {
    notify: async (method, params) => {
      const { stream } = reply;
      if (stream.isOpen) stream.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
    },
    request: () =>
      Promise.reject(new WireError('BAD_STATE', 'modern clients are not sent requests')),
  };
}

/** Headers repeat parts of the body for whoever routes by them; the two must agree. */
function headerProblem(
  headers: IncomingHttpHeaders,
  message: PostedMessage,
  backend: ModernBackend,
): string | undefined {
  const { method, params } = message;
  const version = metaOf(params)?.[META_VERSION];
  const checks: [string, unknown][] = [['mcp-method', method]];
  if (version !== undefined) checks.unshift(['mcp-protocol-version', version]);
  const member = typeof method === 'string' ? NAMED_PARAMETER[method] : undefined;
  if (member !== undefined && typeof params === 'object' && params !== null) {
    checks.push(['mcp-name', Reflect.get(params, member)]);
  }
  if (method === 'tools/call') checks.push(...paramChecks(params, backend));
  for (const [name, expected] of checks) {
    if (expected === undefined || expected === null) continue;
    const given = headers[name];
    if (typeof given !== 'string')
      return `header \`${name}\` is missing; expected \`${String(expected)}\``;
    if (decodeHeaderValue(given) !== String(expected)) {
      return `header \`${name}\` says \`${given}\`, the body says \`${String(expected)}\``;
    }
  }
  return undefined;
}

/** Headers that repeat marked arguments of a tool, as far as the tool is known here. */
function paramChecks(params: unknown, backend: ModernBackend): [string, unknown][] {
  const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: object };
  const schema: JsonSchema | undefined =
    typeof name === 'string' ? backend.inputSchema(name) : undefined;
  const given = typeof args === 'object' && args !== null ? args : {};
  return (paramHeadersOf(schema) ?? []).map(({ parameter, header }) => [
    header,
    Reflect.get(given, parameter),
  ]);
}
