import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_HEADERS =
  'Content-Type, Authorization, Accept, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/**
 * Lets the web pages of the configuration, and no others, read the answers. Returns whether the request
 * was the preflight of such a page, which comes without a token and is answered here.
 */
export function answerCors(
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): boolean {
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && allowedOrigins.includes(origin);
  if (allowedOrigins.length > 0) response.setHeader('vary', 'Origin');
  if (isAllowed) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'Mcp-Session-Id');
  }
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight || !isAllowed) return false;
  response.setHeader('access-control-allow-methods', 'POST, GET, DELETE, OPTIONS');
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.writeHead(204).end();
  return true;
}
