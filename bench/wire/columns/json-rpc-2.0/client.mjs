import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLinePeer, drained } from './line-peer.mjs';

/** @type {import('../../session.mjs').Connect} */
export async function connect({ command, args, onTick }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const peer = createLinePeer(child.stdout, child.stdin);
  peer.addMethod('tick', () => onTick(1));
  return {
    request: (method, params) => peer.request(method, params),
    notify: (method, params) => peer.notify(method, params),
    drained: () => drained(child.stdin),
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
