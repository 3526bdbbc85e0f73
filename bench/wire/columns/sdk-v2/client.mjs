import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { createOutgoing } from '../../outgoing.mjs';

/** @type {import('../../session.mjs').Connect} */
export async function connect({ command, args, onTick }) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const outgoing = createOutgoing();
  const anything = z.looseObject({});
  client.setNotificationHandler('tick', { params: anything }, () => onTick(1));
  await client.connect(new StdioClientTransport({ command, args, maxBufferSize: 2 ** 30 }));
  return {
    request: (method, params) => client.request({ method, params }, anything),
    notify: (method, params) => outgoing.add(client.notification({ method, params })),
    drained: outgoing.settled,
    close: () => client.close(),
  };
}
