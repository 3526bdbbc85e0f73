// A listener of the attacker on loopback.

import { createServer } from 'node:http';

/** Opens it; bodies of requests are received and thrown away. */
export async function openListener(onRequest) {
  const server = createServer((request, response) => {
    request.resume();
    onRequest(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { port: server.address().port, close };
}
