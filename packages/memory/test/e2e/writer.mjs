import { callMethod, loadSettings, Memory } from '../../dist/index.js';

/**
 * Adds notes and prints each id once it was acknowledged; several calls are in flight at once. The first
 * failure ends it: then it prints on stderr what that call, and each kind of call after it, was answered.
 */
const [home = '', count = '0', inFlight = '8'] = process.argv.slice(2);
const settings = await loadSettings({ env: { TINCAN_HOME: home } });
const memory = new Memory({ settings });
let next = 0;
let failure;
let lastId;

async function write() {
  while (next < Number(count) && failure === undefined) {
    next += 1;
    try {
      const { id } = await add(`note ${next}`);
      lastId = id;
      process.stdout.write(`${id}\n`);
    } catch (error) {
      failure ??= error;
    }
  }
}

function add(title) {
  return callMethod(memory, 'memory.add_note', {
    projectId: 'durability',
    groupId: 'global',
    text: `${title} of process ${process.pid} about lock files, caches and 再起動`,
    tags: [`pid-${process.pid}`],
  });
}

/** The code of an error, or `answered`. */
function outcomeOf(call) {
  return call.then(
    () => 'answered',
    (error) => String(error.data?.code ?? error.message),
  );
}

await Promise.all(Array.from({ length: Number(inFlight) }, write));
if (failure !== undefined) {
  const afterwards = [
    await outcomeOf(add('one more')),
    await outcomeOf(callMethod(memory, 'memory.get', { id: lastId })),
    await outcomeOf(callMethod(memory, 'memory.list_recent', { projectId: 'durability' })),
  ];
  const { message, data } = failure;
  process.stderr.write(`${JSON.stringify({ message, data, afterwards })}\n`);
  process.exitCode = 1;
}
await memory.close();
