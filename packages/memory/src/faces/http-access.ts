import { hostname, networkInterfaces } from 'node:os';
import { type AccessOptions, isToken, TokenFile } from 'tincan-mcp/http';
import type { Settings } from '../config/settings.ts';
import { tokenPath } from '../config/token-path.ts';
import { MemoryError } from '../errors.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const ANY = ['0.0.0.0', '::'];

/** Who may call a server bound to `host`: whoever has the token, unless the owner gave that up on loopback. */
export function accessFor(
  host: string,
  settings: Pick<Settings, 'http' | 'paths'>,
  { requireToken = true }: { readonly requireToken?: boolean } = {},
): AccessOptions {
  const { token, allowedHosts, allowedOrigins } = settings.http;
  const own = ANY.includes(host) ? ownNames() : [host];
  const open = {
    allowedHosts: [...own.map(inHostHeader), ...allowedHosts.map((name) => name.toLowerCase())],
    allowedOrigins,
  };
  if (requireToken) return { ...open, ...tokenOf(settings) };
  if (!LOOPBACK.test(host)) {
    throw new MemoryError(
      'CONFIG',
      `expected a token for \`${host}\`, which others can reach: \`--no-token\` is for loopback only`,
    );
  }
  if (token !== undefined) {
    throw new MemoryError(
      'CONFIG',
      'expected either `--no-token` or a token in `TINCAN_TOKEN` or `http.token`, got both',
    );
  }
  return open;
}

function tokenOf({ http, paths }: Pick<Settings, 'http' | 'paths'>): AccessOptions {
  if (http.token === undefined) {
    const { current } = TokenFile.open(tokenPath(paths));
    return { token: current, tokenHint: 'run `tincan-memory token` as the user of the server' };
  }
  if (!isToken(http.token)) {
    throw new MemoryError(
      'CONFIG',
      'expected `TINCAN_TOKEN` or `http.token` to be visible ASCII without spaces',
    );
  }
  return {
    token: http.token,
    tokenHint: 'it is what `TINCAN_TOKEN` or `http.token` was when the server started',
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
