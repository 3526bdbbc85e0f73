import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { createOutgoing } from '../../outgoing.mjs';
import { createService } from '../../server-side.mjs';

const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: {} });
const outgoing = createOutgoing();
const service = createService({
  notify: (method, params) => outgoing.add(server.notification({ method, params })),
  drained: outgoing.settled,
});

for (const method of ['echo', 'count', 'flood']) {
  const schema = z.object({ method: z.literal(method), params: z.looseObject({}) });
  server.setRequestHandler(schema, ({ params }) => service[method](params));
}
server.setNotificationHandler(
  z.object({ method: z.literal('note'), params: z.looseObject({}) }),
  service.note,
);

await server.connect(
  new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: 2 ** 30 }),
);
