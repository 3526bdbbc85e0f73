import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriter, readLines } from './line-loop.mjs';

/**
 * The least a client can do: a map of promises by id around the bare loop.
 *
 * @type {import('../../session.mjs').Connect}
 */
export async function connect({ command, args, onTick }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { send, drained } = createWriter(child.stdin);
  const pending = new Map();
  let nextId = 1;

  readLines(child.stdout, (messages) => {
    for (const { id, result } of messages) {
      if (id === undefined) {
        onTick(1);
        continue;
      }
      pending.get(id)(result);
      pending.delete(id);
    }
  });

  return {
    request(method, params) {
      const id = nextId++;
      send({ jsonrpc: '2.0', id, method, params });
      return new Promise((resolve) => {
        pending.set(id, resolve);
      });
    },
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
    drained,
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
