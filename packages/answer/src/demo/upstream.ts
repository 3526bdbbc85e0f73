import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectOf } from '../loose-json.ts';
import { Exchange, queryOf, type SeenRequest } from './exchange.ts';
import { scenario } from './scenarios.ts';

/** A loopback server that speaks the Responses API, needs no key and costs nothing. */
export interface DemoUpstream extends AsyncDisposable {
  /** Value for `openai.base_url`. */
  readonly baseUrl: string;
  /** Every request so far. */
  readonly requests: readonly SeenRequest[];
  /** Connections opened so far. */
  readonly connections: number;
  /** Resolves with the request of this number, counted from 1, once it has arrived. */
  arrival(number: number): Promise<SeenRequest>;
  close(): Promise<void>;
}

/** Starts it on a free port, or on the one given. */
export async function startDemoUpstream(
  options: { readonly port?: number } = {},
): Promise<DemoUpstream> {
  const { port = 0 } = options;
  const requests: SeenRequest[] = [];
  const waiting = new Map<number, (request: SeenRequest) => void>();
  let connections = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    const body = objectOf(text === '' ? {} : JSON.parse(text));
    const path = (request.url ?? '').replace(/^\/v1/, '');
    const query = queryOf(body);
    const earlier = requests.filter((one) => one.query === query && one.path === path).length;
    const seen: SeenRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body,
      query,
      over: new Promise((resolve) => {
        response.on('close', () => resolve(!response.writableFinished));
      }),
      begun: begun(response),
    };
    requests.push(seen);
    waiting.get(requests.length)?.(seen);
    const [, name = 'search', argument = ''] = query.match(/\[demo:([\w-]+)(?::([^\]]*))?\]/) ?? [];
    const exchange = new Exchange(request, response, { body, query, path, earlier, argument });
    if (path === '/models') {
      const data = ['gpt-5.5', 'demo-model'].map((id) => ({ id, object: 'model' }));
      return exchange.json(200, { object: 'list', data });
    }
    if (path !== '/responses' && path !== '/chat/completions')
      return exchange.raw(404, 'not found');
    scenario(name)(exchange);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get connections() {
      return connections;
    },
    arrival(number) {
      const known = requests[number - 1];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.set(number, resolve));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The first write of a response, seen from outside. */
function begun(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const write = response.write;
    response.write = ((...args: Parameters<typeof write>) => {
      resolve();
      return write.apply(response, args);
    }) as typeof write;
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
