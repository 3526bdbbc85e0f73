import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may reach an HTTP end. */
export interface AccessOptions {
  /** Names in the `Host` header that are accepted besides those of loopback. */
  readonly allowedHosts?: readonly string[];
  /** Web pages that may call, as `https://name[:port]`, besides those of loopback. */
  readonly allowedOrigins?: readonly string[];
  /** Token that clients must send as `Authorization: Bearer …`. A function is called for each request. */
  readonly token?: string | (() => string);
  /** Tells a client without the token where to find it. */
  readonly tokenHint?: string;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Refuses requests with a foreign `Host` or `Origin`, and those without the token where one is set. */
export function refuse(request: IncomingMessage, options: AccessOptions): Refusal | undefined {
  return refuseForeign(request, options) ?? refuseWithoutToken(request, options);
}

/**
 * Refuses what a web page could make a browser send to this machine: a name in `Host` that is not ours
 * (DNS rebinding) or a foreign `Origin`.
 */
export function refuseForeign(
  request: IncomingMessage,
  { allowedHosts = [], allowedOrigins = [] }: AccessOptions,
): Refusal | undefined {
  const repeated = repeatedHeader(request);
  if (repeated !== undefined) {
    return { status: 400, message: `expected one \`${repeated}\` header, got more` };
  }
  const host = nameOf(request.headers.host ?? '');
  if (!LOOPBACK.includes(host) && !allowedHosts.includes(host)) {
    return { status: 403, message: `host \`${host}\` is not allowed` };
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isAllowedOrigin(origin, allowedOrigins)) {
    return { status: 403, message: `origin \`${origin}\` is not allowed` };
  }
  return undefined;
}

/** Whether a header can carry this as a bearer token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function refuseWithoutToken(
  request: IncomingMessage,
  { token, tokenHint = 'ask whoever runs the server for it' }: AccessOptions,
): Refusal | undefined {
  if (token === undefined) return undefined;
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const expected = typeof token === 'function' ? token() : token;
  if (given !== undefined && isSame(given, expected)) return undefined;
  const problem =
    given === undefined
      ? 'expected the header `Authorization: Bearer <token>`: every client must send it, on this machine too'
      : 'the token in `Authorization` is not valid; it may have been replaced';
  return { status: 401, message: `${problem}. To get the token: ${tokenHint}` };
}

/** Node keeps the first of two; a proxy before it may have looked at the other. */
function repeatedHeader({ rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (hosts > 1) return 'Host';
  return authorizations > 1 ? 'Authorization' : undefined;
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true;
  const match = /^https?:\/\/(.+)$/.exec(origin);
  return match?.[1] !== undefined && LOOPBACK.includes(nameOf(match[1]));
}

/** A host without its port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Compares in a time that tells nothing about where two strings differ. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
