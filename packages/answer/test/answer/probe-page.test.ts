import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageProbe } from '../../src/answer/probe-page.ts';
import { isPublicAddress } from '../../src/answer/public-address.ts';
import type { Citation } from '../../src/answer/result.ts';
import { verifyCitations } from '../../src/answer/verify-citations.ts';
import { FakeClock } from '../support/fake-clock.ts';

const live = new AbortController().signal;
let server: Server;
let base = '';
let hits: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(request.url ?? '');
    const [, status = '200', target] = (request.url ?? '').match(/^\/(\d+)(?:\?to=(.*))?/) ?? [];
    if (status === '0') return;
    const headers = target === undefined ? {} : { location: decodeURIComponent(target) };
    response.writeHead(Number(status), headers).end('page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8', '172.32.0.1'])(
    'is true of %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'localhost',
    '',
  ])('is false of %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('the page probe', () => {
  const anywhere = createPageProbe({ isAllowed: () => true });

  it.each([
    ['200', 'fetched'],
    ['204', 'fetched'],
    ['404', 'broken'],
    ['410', 'broken'],
    ['403', 'unknown'],
    ['429', 'unknown'],
    ['500', 'unknown'],
    ['301?to=%2F200', 'fetched'],
    ['302?to=%2F404', 'broken'],
    ['302?to=ftp%3A%2F%2Fx', 'unknown'],
    ['302?to=http%3A%2F%2F%5B', 'broken'],
    ['304', 'unknown'],
  ])('judges /%s as %s', async (path, verdict) => {
    expect(await anywhere(`${base}/${path}`, live)).toBe(verdict);
  });

  describe('given a name', () => {
    type Resolve = NonNullable<NonNullable<Parameters<typeof createPageProbe>[0]>['resolve']>;
    const answering =
      (...addresses: string[]): Resolve =>
      (_, __, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
    const named = () => base.replace('127.0.0.1', 'page.test');
    const isAllowed = (address: string) => address === '127.0.0.1';

    it('connects to the address that was judged', async () => {
      const probe = createPageProbe({ isAllowed, resolve: answering('127.0.0.1') });
      expect(await probe(`${named()}/200`, live)).toBe('fetched');
    });

    it('refuses a name of which any address is private', async () => {
      hits = [];
      const probe = createPageProbe({ isAllowed, resolve: answering('127.0.0.1', '10.0.0.1') });
      expect(await probe(`${named()}/200`, live)).toBe('unknown');
      expect(hits).toEqual([]);
    });

    it.each([
      ['ENOTFOUND', 'broken'],
      ['EAI_AGAIN', 'unknown'],
    ])('takes %s for %s', async (code, verdict) => {
      const resolve: Resolve = (_, __, done) => done(Object.assign(new Error(code), { code }), []);
      expect(await createPageProbe({ resolve })(`${named()}/200`, live)).toBe(verdict);
    });
  });

  it('gives up on a ring of redirects', async () => {
    hits = [];
    expect(
      await anywhere(`${base}/302?to=${encodeURIComponent(`${base}/302?to=%2F302`)}`, live),
    ).toBe('unknown');
    expect(hits.length).toBeLessThanOrEqual(6);
  });

  it('does not connect to a private address, given as number or as name', async () => {
    hits = [];
    const careful = createPageProbe();
    expect(await careful(`${base}/200`, live)).toBe('unknown');
    expect(await careful(base.replace('127.0.0.1', 'localhost'), live)).toBe('unknown');
    expect(await careful(base.replace('127.0.0.1', '[::1]'), live)).toBe('unknown');
    expect(hits).toEqual([]);
  });

  it('does not follow a redirect into a private network', async () => {
    hits = [];
    let isFirst = true;
    const onlyOnce = createPageProbe({
      isAllowed: () => {
        const verdict = isFirst;
        isFirst = false;
        return verdict;
      },
    });
    expect(await onlyOnce(`${base}/302?to=${encodeURIComponent(`${base}/200`)}`, live)).toBe(
      'unknown',
    );
    expect(hits).toHaveLength(1);
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const verdict = anywhere(`${base}/0`, controller.signal);
    controller.abort();
    expect(await verdict).toBe('unknown');
  });
});

describe('verifyCitations', () => {
  const citation = (url: string, verified: Citation['verified'] = 'unverified'): Citation => ({
    url,
    accessed_at: '2026-11-16',
    verified,
  });

  it('keeps an earlier verdict where a page cannot be judged', async () => {
    const verdicts: Record<string, 'fetched' | 'broken' | 'unknown'> = {
      'https://a.com': 'fetched',
      'https://b.com': 'broken',
      'https://c.com': 'unknown',
    };
    const probed: string[] = [];
    const checked = await verifyCitations(
      [
        ...Object.keys(verdicts).map((url) => citation(url, 'source-list')),
        citation('oai-weather'),
      ],
      {
        probe: async (url) => {
          probed.push(url);
          return verdicts[url] ?? 'unknown';
        },
        clock: new FakeClock(),
        timeoutMs: 5,
        signal: live,
      },
    );
    expect(checked.map(({ verified }) => verified)).toEqual([
      'fetched',
      'broken',
      'source-list',
      'unverified',
    ]);
    expect(probed).not.toContain('oai-weather');
  });

  it('stops waiting when its time is up, and leaves no timer', async () => {
    const clock = new FakeClock();
    const checking = verifyCitations([citation('https://slow.com')], {
      probe: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      clock,
      timeoutMs: 5_000,
      signal: live,
    });
    clock.advance(5_000);
    expect((await checking)[0]?.verified).toBe('unverified');
    expect(clock.pending).toEqual([]);
  });
});
