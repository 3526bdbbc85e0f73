import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the fake is asked, and how it answers. */
export interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly model?: string; readonly input?: string[] };
}

/** A loopback server that embeds by counting letters, in the form of both providers. */
export interface FakeProvider {
  readonly url: string;
  readonly requests: FakeRequest[];
  /** Statuses to answer next with, before it works again. */
  failures: number[];
  /** Replaces the answer's body. */
  answer: ((input: readonly string[]) => unknown) | undefined;
  /** Replaces the whole answer. */
  text: string | undefined;
  /** Never answers while set. */
  isSilent: boolean;
  dim: number;
  close(): Promise<void>;
}

/** A vector that similar texts share: how often each letter occurs. */
export function countLetters(text: string, dim: number): number[] {
  const vector = new Array<number>(dim).fill(0.01);
  for (const character of text.toLowerCase()) {
    const at = (character.codePointAt(0) ?? 0) % dim;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

export async function startFakeProvider({ dim = 8 } = {}): Promise<FakeProvider> {
  const requests: FakeRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as FakeRequest['body'];
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (fake.isSilent) return;
    const status = fake.failures.shift();
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no: sk-secret-in-the-error' } }));
      return;
    }
    const input = body.input ?? [];
    const vectors = input.map((each) => countLetters(each, fake.dim));
    const usual =
      request.url === '/api/embed'
        ? { embeddings: vectors }
        : {
            object: 'list',
            data: vectors.map((embedding, index) => ({ index, embedding })).reverse(),
          };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(fake.text ?? JSON.stringify(fake.answer?.(input) ?? usual));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures: [],
    answer: undefined,
    text: undefined,
    isSilent: false,
    dim,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}
