import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tick } from './tick.mjs';

/**
 * The limit of Node itself: prepared bytes go out, returning bytes are counted, nothing is parsed.
 *
 * @type {import('../../session.mjs').Connect}
 */
export async function connect({ command, args, mode, onTick }) {
  const child = spawn(command, [...args, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  const waiting = [];
  let prepared;
  let queued = 0;
  let bytes = 0;
  let read = countEchoes;
  stdout.on('data', (chunk) => read(chunk));

  function countEchoes(chunk) {
    bytes += chunk.length;
    for (; bytes >= prepared.size; bytes -= prepared.size) waiting.shift()();
  }

  function send(method, params) {
    if (prepared?.params !== params) prepared = prepare(method, params);
    if (queued === 0) process.nextTick(flush);
    queued += 1;
  }

  function flush() {
    for (; queued > 0; queued -= Math.min(queued, prepared.copies)) {
      stdin.write(prepared.bytes.subarray(0, Math.min(queued, prepared.copies) * prepared.size));
    }
  }

  const special = {
    async count() {
      const expected = once(stdout, 'data');
      read = () => {};
      stdin.write('\0');
      const [text] = await expected;
      return { notes: Number(text) / prepared.size };
    },
    flood: ({ ms }) =>
      new Promise((resolve) => {
        let sent = 0;
        read = (chunk) => {
          const done = chunk.at(-1) === 0;
          bytes += done ? chunk.length - 1 : chunk.length;
          const ticks = Math.floor(bytes / tick.length);
          bytes %= tick.length;
          sent += ticks;
          onTick(ticks);
          if (done) resolve({ sent });
        };
        stdin.write(`${ms}\0`);
      }),
  };

  return {
    request(method, params) {
      if (method in special) return special[method](params);
      send(method, params);
      return new Promise((resolve) => {
        waiting.push(() => resolve(params));
      });
    },
    notify: send,
    drained: () =>
      new Promise((resolve) => {
        process.nextTick(() =>
          stdin.writableNeedDrain ? stdin.once('drain', resolve) : resolve(),
        );
      }),
    async close() {
      stdin.end();
      await once(child, 'exit');
    },
  };
}

/** Enough copies of one message in one buffer that any window goes out as one slice. */
function prepare(method, params) {
  const one = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 100_000, method, params })}\n`);
  const copies = Math.min(1024, Math.ceil(2 ** 20 / one.length));
  return { params, copies, size: one.length, bytes: Buffer.concat(Array(copies).fill(one)) };
}
