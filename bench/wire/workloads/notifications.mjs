import assert from 'node:assert/strict';
import { openSession } from '../session.mjs';

const BURST = 256;
const warmUp = { ms: 500, least: 10_000 };
const params = { level: 'info', text: 'one line of a log', sequence: 1 };

/** One-way messages to the server in bursts, until the server has counted them all. */
export async function measureNotify({ column, pipes, seconds }) {
  const { client, startMeter } = await openSession({ column, pipes, mode: 'note' });
  const before = await sendNotes(client, warmUp);
  await client.request('count', {});

  const stopMeter = await startMeter();
  const sent = await sendNotes(client, { ms: seconds * 1000 });
  const { notes } = await client.request('count', {});
  const metered = await stopMeter(sent);
  await client.close();
  assert.equal(notes, before + sent, 'notifications were lost');
  return { value: (sent / metered.elapsedMs) * 1000, ...metered };
}

/** One-way messages to the client, as fast as the server gets rid of them. */
export async function measureFlood({ column, pipes, seconds }) {
  let ticks = 0;
  const onTick = (count) => {
    ticks += count;
  };
  const { client, startMeter } = await openSession({ column, pipes, mode: 'flood', onTick });
  await flooded(warmUp);

  const stopMeter = await startMeter();
  const sent = await flooded({ ms: seconds * 1000 });
  const metered = await stopMeter(sent);
  await client.close();
  return { value: (sent / metered.elapsedMs) * 1000, ...metered };

  async function flooded(length) {
    ticks = 0;
    const { sent: total } = await client.request('flood', length);
    // Some libraries hand over an answer before the notifications that came in front of it.
    while (ticks < total) await new Promise(setImmediate);
    assert.equal(ticks, total, 'notifications were invented');
    return total;
  }
}

async function sendNotes(client, { ms, least = 0 }) {
  const end = performance.now() + ms;
  let sent = 0;
  for (; performance.now() < end || sent < least; sent += BURST) {
    for (let i = 0; i < BURST; i += 1) client.notify('note', params);
    await client.drained();
  }
  return sent;
}
