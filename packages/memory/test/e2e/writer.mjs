import { callMethod, loadSettings, Memory } from '../../dist/index.js';

/** Adds notes and prints each id once it was acknowledged; several calls are in flight at once. */
const [home = '', count = '0', inFlight = '8'] = process.argv.slice(2);
const settings = await loadSettings({ env: { TINCAN_HOME: home } });
const memory = new Memory({ settings });
let next = 0;

async function write() {
  while (next < Number(count)) {
    next += 1;
    const text = `note ${next} of process ${process.pid} about lock files, caches and 再起動`;
    const { id } = await callMethod(memory, 'memory.add_note', {
      projectId: 'durability',
      groupId: 'global',
      text,
      tags: [`pid-${process.pid}`],
    });
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, write));
await memory.close();
