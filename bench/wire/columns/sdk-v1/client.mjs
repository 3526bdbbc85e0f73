import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createOutgoing } from '../../outgoing.mjs';

/** @type {import('../../session.mjs').Connect} */
export async function connect({ command, args, onTick }) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const outgoing = createOutgoing();
  client.setNotificationHandler(
    z.object({ method: z.literal('tick'), params: z.looseObject({}) }),
    () => onTick(1),
  );
  await client.connect(new StdioClientTransport({ command, args, maxBufferSize: 2 ** 30 }));
  return {
    request: (method, params) => client.request({ method, params }, ResultSchema),
    notify: (method, params) => outgoing.add(client.notification({ method, params })),
    drained: outgoing.settled,
    close: () => client.close(),
  };
}
