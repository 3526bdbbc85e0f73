import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from 'tincan-wire';
import { type AccessOptions, type Refusal, refuse, refuseForeign } from './access.ts';
import { discardBody } from './read-body.ts';
import { Reply } from './reply.ts';

/**
 * Answers what everyone may ask, `/health` and `/.well-known/*`, and refuses everything else from a client
 * without the token. Returns whether the request was answered.
 */
export function guard(
  request: IncomingMessage,
  response: ServerResponse,
  access: AccessOptions,
): boolean {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const isHealth = path === '/health';
  // Clients look for an authorization server there before they ask their user for a token.
  const isWellKnown = path.startsWith('/.well-known/');
  const isOpen = isHealth || isWellKnown;
  const refusal = isOpen ? refuseForeign(request, access) : refuse(request, access);
  if (refusal !== undefined) sendRefusal(request, response, refusal);
  else if (isHealth) sendHealth(request, response);
  else if (isWellKnown) {
    discardBody(request);
    new Reply(response).error(404, ErrorCode.InvalidRequest, `nothing is at \`${path}\``);
  }
  return isOpen || refusal !== undefined;
}

/** Answers a request that is refused, and says which kind of credentials would help. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: Refusal,
): void {
  discardBody(request);
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  new Reply(response, headers).error(status, ErrorCode.InvalidRequest, message);
}

/** Says that the server runs and nothing about it: the caller may be anyone. */
function sendHealth(request: IncomingMessage, response: ServerResponse): void {
  discardBody(request);
  if (request.method === 'GET' || request.method === 'HEAD') {
    new Reply(response, { 'cache-control': 'no-store' }).json('{"status":"ok"}');
    return;
  }
  const message = `expected the method \`GET\`, got \`${request.method}\``;
  new Reply(response, { allow: 'GET, HEAD' }).error(405, ErrorCode.InvalidRequest, message);
}
