import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** What opening a page showed. */
export type PageVerdict = 'fetched' | 'broken' | 'unknown';

/** Opens a page and tells whether it is there. */
export type ProbePage = (url: string, signal: AbortSignal) => Promise<PageVerdict>;

/** What a probe trusts; the defaults are the right ones outside of tests. */
export interface PageProbeOptions {
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: (
    host: string,
    options: LookupAllOptions,
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void;
}

const mostRedirects = 5;

/**
 * Makes a prober that never connects inside a private network: the address is judged at the moment
 * of connecting, so neither a redirect nor a name that changes its mind gets around it.
 */
export function createPageProbe(options: PageProbeOptions = {}): ProbePage {
  const { isAllowed = isPublicAddress, resolve = lookup } = options;
  const guardedLookup: LookupFunction = (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused !== undefined) return done(new PrivateAddressError(host), '', 0);
      const first = addresses[0];
      if (options.all) return done(null, addresses);
      done(null, first?.address ?? '', first?.family);
    });
  };
  return async (url, signal) => {
    let target = url;
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const { hostname } = new URL(target);
      const literal = hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0 && !isAllowed(literal)) return 'unknown';
      let response: IncomingMessage;
      try {
        response = await open(target, guardedLookup, signal);
      } catch (error) {
        return isNoSuchHost(error) ? 'broken' : 'unknown';
      }
      const status = response.statusCode ?? 0;
      const next = response.headers.location;
      // The head has told all we ask for.
      response.destroy();
      if (status < 300 || status >= 400 || next === undefined) return verdictOf(status);
      if (!URL.canParse(next, target)) return 'broken';
      target = new URL(next, target).href;
      if (!/^https?:/.test(target)) return 'unknown';
    }
    return 'unknown';
  };
}

class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`\`${host}\` is not on the public internet`);
  }
}

async function open(
  url: string,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  const headers = { accept: 'text/html,*/*;q=0.5', 'user-agent': 'tincan-answer (link check)' };
  return new Promise((done, fail) => {
    request(url, { headers, lookup, signal, agent: false }, done).on('error', fail).end();
  });
}

function verdictOf(status: number): PageVerdict {
  if (status >= 200 && status < 300) return 'fetched';
  // Only these say that the page is gone; a wall or a hiccup says nothing about it.
  return status === 404 || status === 410 ? 'broken' : 'unknown';
}

function isNoSuchHost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
}
