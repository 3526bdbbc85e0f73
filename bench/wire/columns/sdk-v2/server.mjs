import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { createOutgoing } from '../../outgoing.mjs';
import { createService } from '../../server-side.mjs';

function createServer() {
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: {} });
  const outgoing = createOutgoing();
  const service = createService({
    notify: (method, params) => outgoing.add(server.notification({ method, params })),
    drained: outgoing.settled,
  });
  const params = z.looseObject({});
  for (const method of ['echo', 'count', 'flood']) {
    server.setRequestHandler(method, { params }, service[method]);
  }
  server.setNotificationHandler('note', { params }, service.note);
  return server;
}

serveStdio(createServer, {
  transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: 2 ** 30 }),
});
