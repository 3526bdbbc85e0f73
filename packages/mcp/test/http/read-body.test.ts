import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readBody, sendBodyProblem } from '../../src/http/read-body.ts';

let server: Server | undefined;

afterEach(() => server?.close());

/** What a server answers to the head and the first bytes of a request of 100 bytes. */
async function answerTo(start: string): Promise<string> {
  server = createServer(async (request, response) => {
    const body = await readBody(request, { maxBytes: 1000, idleMs: 20 });
    if ('problem' in body) sendBodyProblem(response, body.problem, 1000);
    else response.end(body.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n${start}`);
  await once(socket, 'close');
  return text;
}

describe('a body whose rest does not come', () => {
  it.each(['', '{"jsonrpc"'])('is cut off with 408 after %j', async (start) => {
    const answer = await answerTo(start);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('expected the rest of the body; nothing came for too long');
  });
});
