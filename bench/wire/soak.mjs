// Millions of messages both ways through a reader that stops now and then: nothing may be lost,
// out of order or kept in memory. `node bench/wire/soak.mjs [--messages n] [--bound mebibytes]`
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Dispatcher, spawnServer } from 'tincan-wire';

const BURST = 256;
const SAMPLES = 40;
const MIB = 2 ** 20;

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000000' },
    bound: { type: 'string', default: '16' },
  },
});
const total = Number(values.messages);
const returns = new EventEmitter();
let returned = 0;
let outOfOrder = 0;

const connection = await spawnServer({
  command: process.execPath,
  args: [soakFile('slow-relay.mjs'), soakFile('server.mjs')],
  timeoutMs: 0,
  methods: new Dispatcher({
    item({ sequence }) {
      if (sequence !== returned) outOfOrder += 1;
      returned += 1;
      if (returned === total) returns.emit('all');
    },
  }),
});
connection.on('stderr', (line) => console.error(line));

const start = performance.now();
const samples = [];
console.log('  messages  seconds    rate  client MiB  server MiB');
const allReturned = total > 0 ? once(returns, 'all') : undefined;
for (let sent = 0; sent < total; ) {
  const end = Math.min(sent + Math.ceil(total / SAMPLES), total);
  while (sent < end) sent = await sendBurst(sent, Math.min(sent + BURST, end));
  await takeSample(sent);
}
await allReturned;
const { received, outOfOrder: outOfOrderThere } = await connection.request('sample', {});
await connection.close();

const failures = [
  received !== total && `the server received ${received} of ${total} messages`,
  returned !== total && `the client received ${returned} of ${total} messages`,
  outOfOrder + outOfOrderThere > 0 && `${outOfOrder + outOfOrderThere} messages out of order`,
  ...['client', 'server'].map(growth),
].filter(Boolean);
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length === 0) {
  console.log(`${total} messages each way: all there, in order, memory flat`);
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function sendBurst(from, to) {
  const sends = [];
  for (let sequence = from; sequence < to; sequence += 1) {
    sends.push(connection.notify('item', { sequence, text: 'one of many' }));
  }
  await Promise.all(sends);
  return to;
}

/** The answer comes behind all that was sent, through the same slow reader. */
async function takeSample(sent) {
  const { rss } = await connection.request('sample', {});
  const seconds = (performance.now() - start) / 1000;
  const sample = { client: process.memoryUsage.rss(), server: rss };
  samples.push(sample);
  const cells = [sent, seconds.toFixed(1), `${(sent / seconds / 1000).toFixed(0)}k/s`];
  const memory = [sample.client, sample.server].map((bytes) => (bytes / MIB).toFixed(0));
  console.log(
    [...cells, ...memory].map((cell, i) => String(cell).padStart([10, 9, 8, 12, 12][i])).join(''),
  );
}

/**
 * The second quarter is past the warm-up. Garbage comes and goes; what is never freed is there in the lowest
 * sample of a quarter too, and lifts that of the last.
 */
function growth(side) {
  const quarter = (n) => {
    const [from, to] = [n - 1, n].map((at) => Math.floor((samples.length * at) / 4));
    return Math.min(...samples.slice(from, to).map((sample) => sample[side]));
  };
  const grown = quarter(4) - quarter(2);
  return (
    grown > Number(values.bound) * MIB &&
    `memory of the ${side} grew by ${(grown / MIB).toFixed(0)} MiB between the second and the last quarter`
  );
}

function soakFile(name) {
  return join(import.meta.dirname, 'soak', name);
}
