import { hostname, networkInterfaces } from 'node:os';
import type { AccessOptions } from '@tincan/mcp/http';
import type { HttpSettings } from '../config/settings.ts';
import { MemoryError } from '../errors.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const ANY = ['0.0.0.0', '::'];

/**
 * Who may call a server bound to `host`. Beyond loopback only who has the token, so that nobody on the
 * network reads the memory because of one forgotten setting.
 */
export function accessFor(host: string, settings: HttpSettings): AccessOptions {
  const { token, allowedHosts, allowedOrigins } = settings;
  const hasToken = token !== undefined && token !== '';
  if (!LOOPBACK.test(host) && !hasToken) {
    throw new MemoryError(
      'CONFIG',
      `expected a token for \`${host}\`, which others can reach: set \`http.token\` or \`TINCAN_TOKEN\``,
    );
  }
  const own = ANY.includes(host) ? ownNames() : [host];
  return {
    allowedHosts: [...own.map(inHostHeader), ...allowedHosts.map((name) => name.toLowerCase())],
    allowedOrigins,
    ...(hasToken && { token }),
  };
}

/** Names and addresses of this machine. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [hostname(), ...addresses.map(({ address }) => address)];
}

function inHostHeader(host: string): string {
  return (host.includes(':') ? `[${host}]` : host).toLowerCase();
}
