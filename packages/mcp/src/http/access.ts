import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may reach an HTTP end. */
export interface AccessOptions {
  /** Names in the `Host` header that are accepted besides those of loopback. */
  readonly allowedHosts?: readonly string[];
  /** Web pages that may call, as `https://name[:port]`, besides those of loopback. */
  readonly allowedOrigins?: readonly string[];
  /** Wanted as `Authorization: Bearer …`. */
  readonly token?: string;
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Turns away what a web page could make a browser send to this machine: a name that is not ours in `Host`
 * (DNS rebinding) or a foreign `Origin`; and, where a token is set, whoever does not have it.
 */
export function refuse(request: IncomingMessage, options: AccessOptions): Refusal | undefined {
  const { allowedHosts = [], allowedOrigins = [], token } = options;
  const host = nameOf(request.headers.host ?? '');
  if (!LOOPBACK.includes(host) && !allowedHosts.includes(host)) {
    return { status: 403, message: `host \`${host}\` is not allowed` };
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isAllowedOrigin(origin, allowedOrigins)) {
    return { status: 403, message: `origin \`${origin}\` is not allowed` };
  }
  if (token !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
    return { status: 401, message: 'a bearer token is required' };
  }
  return undefined;
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
