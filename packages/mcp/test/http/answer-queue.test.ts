import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { AnswerQueue } from '../../src/http/answer-queue.ts';

it.each([2, 4, 8])('answers %d requests that a client sends without waiting', async (count) => {
  const answers = new AnswerQueue();
  const server = createServer((request, response) => {
    void answers.admit(request, response).then((isAdmitted) => {
      // The answer is ready while the queue still goes through the calls that wait.
      if (isAdmitted) setImmediate(() => response.end(request.url));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const requests = Array.from({ length: count }, (_, index) => {
    const connection = index === count - 1 ? 'close' : 'keep-alive';
    return `GET /answer-${index} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  });
  let text = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(requests.join('')));
  for await (const chunk of socket) text += String(chunk);
  expect(text.match(/answer-\d/g)).toEqual(requests.map((_, index) => `answer-${index}`));
  await new Promise((resolve) => server.close(resolve));
});
