import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callMethod, loadSettings, Memory } from '../../packages/memory/dist/index.js';

/**
 * What a call costs the processor, measured at the method table, without a face. Texts are made of
 * words whose frequencies fall as in natural language; all notes lie in one project, the worst case.
 */
const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10000' },
    provider: { type: 'string', default: 'local' },
    calls: { type: 'string', default: '200' },
    // Set by the first process for the one that fills the store: measuring begins in a clean heap.
    fill: { type: 'string' },
  },
});
const noteCount = Number(values.notes);
const calls = Number(values.calls);
const home = values.fill ?? (await mkdtemp(join(tmpdir(), 'tincan-bench-')));
const env = { TINCAN_HOME: home, TINCAN_EMBEDDER_PROVIDER: values.provider };

let seed = 7;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

/** Zipf: the word of rank r comes with a frequency of 1/r. */
const VOCABULARY = 50_000;
function makeWord() {
  const rank = Math.floor(VOCABULARY ** random());
  return `${'bcdfghjklmnprstvz'[rank % 17]}${'aeiou'[rank % 5]}${rank.toString(36)}`;
}
const makeText = (words) => Array.from({ length: words }, makeWord).join(' ');
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const rssMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);

async function measure(label, times, call) {
  const costs = [];
  for (let i = 0; i < times; i += 1) {
    const before = cpuMs();
    await call();
    costs.push(cpuMs() - before);
  }
  costs.sort((a, b) => a - b);
  const at = (share) => costs[Math.floor(share * (costs.length - 1))]?.toFixed(2);
  console.log(`${label.padEnd(34)} CPU ms p50 ${at(0.5)}  p90 ${at(0.9)}  p99 ${at(0.99)}`);
}

const makeNote = () => ({
  projectId: 'bench',
  groupId: `g${Math.floor(random() * 20)}`,
  text: makeText(40),
  title: random() < 0.3 ? makeText(5) : null,
  tags: [`t${Math.floor(random() * 10)}`],
});

const memory = new Memory({ settings: await loadSettings({ env }) });
const call = (method, params) => callMethod(memory, `memory.${method}`, params);

if (values.fill === undefined) {
  const self = fileURLToPath(import.meta.url);
  const args = [self, '--notes', values.notes, '--provider', values.provider, '--fill', home];
  try {
    execFileSync(process.execPath, args, { stdio: 'inherit' });
    await measureAll();
  } finally {
    await memory.close();
    await rm(home, { recursive: true, force: true });
  }
} else {
  for (let i = 0; i < noteCount; i += 250) {
    await Promise.all(Array.from({ length: 250 }, () => call('add_note', makeNote())));
  }
  await memory.reindex();
  await memory.close();
}

async function measureAll() {
  await call('list_recent', { projectId: 'bench' });
  console.log(`${noteCount} notes, resident after first listing: ${rssMb()} MB`);
  const start = cpuMs();
  await call('search', { projectId: 'bench', query: makeText(6) });
  console.log(`first search: ${(cpuMs() - start).toFixed(0)} ms CPU, resident ${rssMb()} MB`);
  const search = (fields) => () =>
    call('search', { projectId: 'bench', query: makeText(6), ...fields });
  await measure('warm-up', 30, search({}));
  await measure('search, 6 words', calls, search({}));
  await measure('search, group of 5 %', calls, search({ groupId: 'g3' }));
  await measure('search, tag of 10 %', calls, search({ tags: ['t3'] }));
  await measure('add', calls, () => call('add_note', makeNote()));
  await measure('search after adding', calls, search({}));
  console.log(`resident at the end: ${rssMb()} MB`);
}
