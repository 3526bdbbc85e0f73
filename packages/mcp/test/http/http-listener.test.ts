import { once } from 'node:events';
import { Agent, type RequestListener, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AnswerQueue, HttpListener, readBody, sendBodyProblem } from '../../src/http.ts';

const open: HttpListener[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of open.splice(0)) await listener.close({ drainMs: 0 });
});

async function serve(listener: RequestListener): Promise<HttpListener> {
  const listening = await HttpListener.open(listener, { host: '127.0.0.1', port: 0 });
  open.push(listening);
  return listening;
}

async function raw({ url }: HttpListener, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  socket.pause().write(text);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** So long that a test which waits for it fails. */
const FOREVER = 3_600_000;

describe('closing', () => {
  it('does not wait for connections that are only kept, used before or not', async () => {
    const listener = await serve((_, response) => response.end('x'));
    const agent = new Agent({ keepAlive: true });
    const [response] = await once(request(listener.url, { agent }).end(), 'response');
    await once(response.resume(), 'end');
    await raw(listener, '');
    await raw(listener, 'GET / HT');
    await listener.close({ drainMs: FOREVER });
    agent.destroy();
  });

  it('lets a request under way have its whole answer', async () => {
    let response: ServerResponse | undefined;
    const listener = await serve((_, started) => {
      response = started;
    });
    const text = 'x'.repeat(20 * 1024 * 1024);
    const answered = fetch(listener.url).then((reply) => reply.text());
    await expect.poll(() => response).toBeDefined();
    const closed = listener.close({ drainMs: FOREVER });
    response?.end(text);
    expect((await answered).length).toBe(text.length);
    await closed;
  });
});

describe('answers that nobody reads', () => {
  const answer = Buffer.alloc(32 * 1024 * 1024, 'x');

  it('keep calls from starting until their clients are cut off', async () => {
    const answers = new AnswerQueue({ maxQueuedBytes: 1024 * 1024, stallMs: 50 });
    let running = 0;
    let most = 0;
    const listener = await serve(async (message, response) => {
      if (!(await answers.admit(message, response))) return;
      running++;
      most = Math.max(most, running);
      response.once('close', () => running--).end(message.url === '/small' ? 'x' : answer);
    });
    await Promise.all(Array.from({ length: 6 }, () => raw(listener, GET)));
    await expect.poll(() => running).toBeGreaterThan(0);
    expect(await (await fetch(`${listener.url}/small`)).text()).toBe('x');
    // What the first one does not read is more than the queue holds.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('do not cost a client that reads slowly its connection', async () => {
    const answers = new AnswerQueue({ maxQueuedBytes: 1024 * 1024, stallMs: 300 });
    const listener = await serve(async (message, response) => {
      if (await answers.admit(message, response)) response.end(answer);
    });
    const slow = fetch(listener.url);
    const reader = (await slow).body?.getReader();
    const other = fetch(listener.url).then(async (response) => (await response.text()).length);
    let size = 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.length;
    }
    expect([size, await other]).toEqual([answer.length, answer.length]);
  });

  it('are asked for one after the other on one connection, and not without end', async () => {
    const answers = new AnswerQueue();
    const waiting: ServerResponse[] = [];
    const listener = await serve(async (message, response) => {
      if (await answers.admit(message, response)) waiting.push(response);
    });
    const three = await raw(listener, GET.repeat(3));
    await expect.poll(() => waiting.length).toBe(1);
    for (let done = 1; done <= 3; done++) {
      await expect.poll(() => waiting.length).toBe(done);
      waiting.at(-1)?.end('x');
    }
    const many = await raw(listener, GET.repeat(40));
    many.resume();
    await once(many, 'close');
    three.destroy();
  });
});

it('cuts a body that stalls', async () => {
  const listener = await serve(async (message, response) => {
    const body = await readBody(message, { maxBytes: 100, idleMs: 30 });
    if ('problem' in body) sendBodyProblem(response, body.problem, 100);
    else response.end(body.text);
  });
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"half';
  const socket = await raw(listener, post);
  const [text] = await once(socket.resume(), 'data');
  expect(String(text)).toMatch(/^HTTP\/1.1 408 /);
  await once(socket, 'close');
});
