import { lookup } from 'node:dns/promises';
import { MemoryError } from '../errors.ts';
import { isMetadataHost } from './metadata-host.ts';
import { providerError } from './provider-error.ts';

/** Addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Redirects that repeat the request as it is; the others would drop its body. */
const REPEATING = [307, 308];
const MAX_REDIRECTS = 3;

/** `fetch` for texts and keys: they go to the origin that was configured, and to no other. */
export function remoteFetch(resolveHost: ResolveHost = resolve): typeof fetch {
  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; ; redirects += 1) {
      await assertHost(url, resolveHost);
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      const isSafe = target?.origin === url.origin && REPEATING.includes(response.status);
      if (target === undefined || !isSafe || redirects >= MAX_REDIRECTS) {
        throw providerError(
          `the embedding provider redirects to \`${target?.origin ?? 'an unknown address'}\`, which is sent neither texts nor key: set \`embedder.baseUrl\` to the final address`,
          { status: response.status },
        );
      }
      url = target;
    }
  };
}

/** A name may lead where no address may be configured. */
async function assertHost({ hostname }: URL, resolveHost: ResolveHost): Promise<void> {
  // A name that cannot be resolved fails in the request itself, in better words.
  const found = await resolveHost(hostname).catch(() => []);
  if (![hostname, ...found].some(isMetadataHost)) return;
  throw new MemoryError(
    'PROVIDER',
    `the embedding provider \`${hostname}\` has a link-local or cloud metadata address, which is sent nothing`,
    { data: { status: null, retryable: false } },
  );
}

async function resolve(hostname: string): Promise<readonly string[]> {
  if (hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname)) return [];
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
