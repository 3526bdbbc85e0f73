import assert from 'node:assert/strict';
import { openSession } from '../session.mjs';

const BURST = 256;
const warmUp = { ms: 500, least: 10_000 };
const params = { level: 'info', text: 'one line of a log', sequence: 1 };

/** One-way messages to the server in bursts, until the server has counted them all. */
export async function openNotify({ column, pipes, sliceMs }) {
  const { client, metered, close } = await openSession({ column, pipes, mode: 'note' });
  let total = 0;
  await sendNotes(warmUp);
  return { slice: () => metered(() => sendNotes({ ms: sliceMs })), close };

  async function sendNotes({ ms, least = 0 }) {
    const end = performance.now() + ms;
    let sent = 0;
    for (; performance.now() < end || sent < least; sent += BURST) {
      for (let i = 0; i < BURST; i += 1) client.notify('note', params);
      await client.drained();
    }
    total += sent;
    const { notes } = await client.request('count', {});
    assert.equal(notes, total, 'notifications were lost');
    return sent;
  }
}

/** One-way messages to the client, as fast as the server gets rid of them. */
export async function openFlood({ column, pipes, sliceMs }) {
  let ticks = 0;
  const onTick = (count) => {
    ticks += count;
  };
  const { client, metered, close } = await openSession({ column, pipes, mode: 'flood', onTick });
  await flooded(warmUp);
  return { slice: () => metered(() => flooded({ ms: sliceMs })), close };

  async function flooded(length) {
    ticks = 0;
    const { sent } = await client.request('flood', length);
    // Some libraries hand over an answer before the notifications that came in front of it.
    while (ticks < sent) await new Promise(setImmediate);
    assert.equal(ticks, sent, 'notifications were invented');
    return sent;
  }
}
