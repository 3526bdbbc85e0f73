import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clipText } from '../../src/embed/clip-text.ts';
import type { Embedder } from '../../src/embed/embedder.ts';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { createOllamaEmbedder } from '../../src/embed/ollama.ts';
import { openEmbedder } from '../../src/embed/open-embedder.ts';
import { createOpenAiEmbedder } from '../../src/embed/openai.ts';
import type { RemoteOptions } from '../../src/embed/remote-embedder.ts';
import { describeEmbedder } from './embedder-contract.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';

/** One for each test: what a test gave up waiting for may arrive late, and must not reach the next. */
let fake: FakeProvider;
/** Serves the suites that keep one embedder throughout. */
let steady: FakeProvider;
beforeAll(async () => {
  steady = await startFakeProvider();
});
afterAll(() => steady.close());
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

const slept: number[] = [];
const sleep = async (ms: number): Promise<void> => {
  slept.push(ms);
};

const settings = (provider: 'openai' | 'ollama', baseUrl = fake.url): EmbedderSettings => ({
  provider,
  model: 'some-model',
  dim: 0,
  baseUrl,
  apiKey: 'sk-test',
});
const openai = (options: RemoteOptions = {}): Embedder =>
  createOpenAiEmbedder(settings('openai'), { sleep, ...options });
const ollama = (options: RemoteOptions = {}): Embedder =>
  createOllamaEmbedder(settings('ollama'), { sleep, ...options });

describeEmbedder('the OpenAI client', async () =>
  createOpenAiEmbedder(settings('openai', steady.url)),
);
describeEmbedder('the Ollama client', async () =>
  createOllamaEmbedder(settings('ollama', steady.url)),
);

describe.each([
  ['openai', openai],
  ['ollama', ollama],
])('the %s embedder', (name, open) => {
  it('sends the model and the texts', async () => {
    await open().embed(['a', 'b']);
    const [request] = fake.requests;
    expect(request?.path).toBe(name === 'openai' ? '/embeddings' : '/api/embed');
    expect(request?.body).toMatchObject({ model: 'some-model', input: ['a', 'b'] });
    if (name === 'openai') expect(request?.headers.authorization).toBe('Bearer sk-test');
  });

  it.each([500, 503, 429, 408])('tries again after status %i', async (status) => {
    fake.failures = [status, status];
    slept.length = 0;
    expect(await open().embed(['a'])).toHaveLength(1);
    expect(fake.requests).toHaveLength(3);
    expect(slept).toEqual([250, 500]);
  });

  it.each([400, 401, 403, 404])('does not repeat status %i', async (status) => {
    fake.failures = [status];
    await expect(open().embed(['a'])).rejects.toMatchObject({
      code: 'PROVIDER',
      data: { status, retryable: false },
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('gives up after its attempts, saying that another try may help', async () => {
    fake.failures = [500, 502, 503, 504];
    await expect(open().embed(['a'])).rejects.toMatchObject({
      code: 'PROVIDER',
      data: { status: 503, retryable: true },
    });
  });

  it('never repeats what the provider said, which may quote a key', async () => {
    fake.failures = [401];
    const error = await open()
      .embed(['a'])
      .catch((e: unknown) => e);
    expect(String(error)).not.toContain('sk-');
    expect(JSON.stringify(error)).not.toContain('sk-');
  });

  it.each([
    ['too few vectors', { data: [], embeddings: [] }],
    ['no vectors', {}],
    ['words for numbers', { data: [{ index: 0, embedding: ['x'] }], embeddings: [['x']] }],
    ['an empty vector', { data: [{ index: 0, embedding: [] }], embeddings: [[]] }],
  ])('refuses an answer with %s', async (_, answer) => {
    fake.answer = () => answer;
    await expect(open().embed(['a'])).rejects.toMatchObject({ code: 'PROVIDER' });
  });

  it('refuses an answer that is not JSON, and does not ask again', async () => {
    fake.text = '<html>sign in</html>';
    await expect(open().embed(['a'])).rejects.toMatchObject({
      code: 'PROVIDER',
      message: expect.stringContaining('JSON'),
      data: { status: 200, retryable: false },
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('asks in batches, and keeps the order of the texts', async () => {
    const size = name === 'openai' ? 256 : 64;
    const texts = Array.from({ length: size + 1 }, (_, i) => 'x'.repeat(i + 1));
    const vectors = await open().embed(texts);
    expect(fake.requests.map(({ body }) => body.input?.length)).toEqual([size, 1]);
    const [alone] = await open().embed([texts[7] ?? '']);
    expect(vectors[7]).toEqual(alone);
    expect(vectors).toHaveLength(texts.length);
  });

  it('takes a base address that ends with a slash', async () => {
    const at = settings(name as 'openai' | 'ollama', `${fake.url}/v1/`);
    const embedder = name === 'openai' ? createOpenAiEmbedder(at) : createOllamaEmbedder(at);
    fake.answer = () => ({ data: [{ index: 0, embedding: [1] }], embeddings: [[1]] });
    await embedder.embed(['a']);
    expect(fake.requests[0]?.path).toBe(name === 'openai' ? '/v1/embeddings' : '/v1/api/embed');
  });

  it('does not wait for ever', async () => {
    fake.isSilent = true;
    await expect(open({ timeoutMs: 20, attempts: 1 }).embed(['a'])).rejects.toMatchObject({
      code: 'PROVIDER',
      data: { status: null, retryable: true },
    });
  });

  it('stops in the middle for a signal', async () => {
    fake.isSilent = true;
    const abort = new AbortController();
    const embedding = open().embed(['a'], { signal: abort.signal });
    const reason = new Error('changed my mind');
    setTimeout(() => abort.abort(reason), 10);
    await expect(embedding).rejects.toBe(reason);
  });

  it('says that nobody is there', async () => {
    const gone = { ...settings('openai'), baseUrl: 'http://127.0.0.1:1' };
    const embedder =
      name === 'openai'
        ? createOpenAiEmbedder(gone, { sleep })
        : createOllamaEmbedder(gone, { sleep });
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      data: { status: null, retryable: true },
    });
  });
});

it('asks OpenAI where no address is configured', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(Response.json({ data: [{ index: 0, embedding: [1] }] }));
  const at = { ...settings('openai'), baseUrl: null };
  await createOpenAiEmbedder(at, { resolveHost: async () => [] }).embed(['a']);
  expect(String(asked.mock.calls[0]?.[0])).toBe('https://api.openai.com/v1/embeddings');
  asked.mockRestore();
});

describe('opening an embedder', () => {
  it('refuses OpenAI without a key', async () => {
    await expect(openEmbedder({ ...settings('openai'), apiKey: undefined })).rejects.toMatchObject({
      code: 'KEY_MISSING',
    });
  });

  it('opens nothing for none', async () => {
    expect(await openEmbedder({ ...settings('openai'), provider: 'none' })).toBeUndefined();
  });

  it.each(['openai', 'ollama', 'local'] as const)(
    'opens %s without a request',
    async (provider) => {
      const embedder = await openEmbedder({ ...settings('openai'), provider });
      expect(embedder?.provider).toBe(provider);
      expect(fake.requests).toHaveLength(0);
      await embedder?.close();
    },
  );
});

describe('clipping', () => {
  it('leaves a text that fits', () => {
    expect(clipText('short')).toBe('short');
    expect(clipText('x'.repeat(20_000))).toHaveLength(20_000);
  });

  it('cuts between characters, never inside one', () => {
    const clipped = clipText('🙂'.repeat(10_000));
    expect(clipped.length).toBeLessThan(20_000);
    expect(clipped).not.toMatch(/\p{Surrogate}/u);
    expect(clipped.endsWith('🙂')).toBe(true);
  });
});
