import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embed/embedder.ts';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { createOllamaEmbedder } from '../../src/embed/ollama.ts';
import { openEmbedder } from '../../src/embed/open-embedder.ts';
import { createOpenAiEmbedder } from '../../src/embed/openai.ts';
import type { RemoteOptions } from '../../src/embed/remote-embedder.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function provider(): Promise<FakeProvider> {
  const fake = await startFakeProvider();
  closing.push(() => fake.close());
  return fake;
}

/** A server that answers as told and counts its requests. */
async function front(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const settings = (name: 'openai' | 'ollama', baseUrl: string): EmbedderSettings => ({
  provider: name,
  model: 'm',
  dim: 0,
  baseUrl,
  apiKey: 'sk-secret',
});
const makers = {
  openai: (url: string, options?: RemoteOptions): Embedder =>
    createOpenAiEmbedder(settings('openai', url), options),
  ollama: (url: string, options?: RemoteOptions): Embedder =>
    createOllamaEmbedder(settings('ollama', url), options),
};

describe.each(['openai', 'ollama'] as const)('the %s embedder', (name) => {
  it.each([301, 302, 303, 307, 308])(
    'follows no redirect to another origin (status %i)',
    async (status) => {
      const elsewhere = await provider();
      const { url, asked } = await front((_, response) => {
        response.writeHead(status, { location: `${elsewhere.url}/embeddings?key=1` }).end();
      });
      await expect(makers[name](url).embed(['private'])).rejects.toMatchObject({
        code: 'PROVIDER',
        message: expect.stringContaining(`redirects to \`${elsewhere.url}\``),
        data: { status, retryable: false },
      });
      expect(asked).toHaveLength(1);
      expect(elsewhere.requests).toEqual([]);
    },
  );

  it('follows a redirect inside its origin, with text and key', async () => {
    let received: string | undefined;
    const { url, asked } = await front((request, response) => {
      if (request.url?.endsWith('/') === false) {
        response.writeHead(307, { location: `${request.url}/` }).end();
        return;
      }
      received = request.headers.authorization;
      response.setHeader('content-type', 'application/json');
      response.end('{"data":[{"index":0,"embedding":[1]}],"embeddings":[[1]]}');
    });
    expect(await makers[name](url).embed(['x'])).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(received).toBe(name === 'openai' ? 'Bearer sk-secret' : undefined);
  });

  it('gives up on redirects that go on for ever', async () => {
    const { url, asked } = await front((request, response) => {
      response.writeHead(308, { location: `${request.url}/` }).end();
    });
    await expect(makers[name](url).embed(['x'])).rejects.toMatchObject({ data: { status: 308 } });
    expect(asked).toHaveLength(4);
  });

  it('sends nothing to a name that leads to a metadata address', async () => {
    const fake = await provider();
    const names: string[] = [];
    const resolveHost = async (hostname: string): Promise<string[]> => {
      names.push(hostname);
      return ['10.0.0.1', '169.254.169.254'];
    };
    const url = fake.url.replace('127.0.0.1', 'localhost');
    await expect(makers[name](url, { resolveHost }).embed(['x'])).rejects.toMatchObject({
      message: expect.stringContaining('link-local or cloud metadata address'),
      data: { retryable: false },
    });
    expect(names).toEqual(['localhost']);
    expect(fake.requests).toEqual([]);
  });
});

describe('opening an embedder', () => {
  it.each([
    [{ baseUrl: 'http://169.254.169.254' }, 'embedder.baseUrl'],
    [{ baseUrl: 'file:///etc' }, 'embedder.baseUrl'],
    [{ apiKey: 'a\r\nb: c' }, 'embedder.apiKey'],
    [{ model: 'a\nb' }, 'embedder.model'],
  ])('refuses %j, wherever it came from', async (change, key) => {
    const opening = openEmbedder({ ...settings('openai', 'http://127.0.0.1:1'), ...change });
    await expect(opening).rejects.toMatchObject({ code: 'PROVIDER', data: { retryable: false } });
    await expect(opening).rejects.toThrow(key);
  });
});
