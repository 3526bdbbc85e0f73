/**
 * Searches over notes of our own making, through the real server over stdio: how many answers are found, how
 * many questions without one are left unanswered, and what a search costs as the store grows.
 *
 *     node bench/retrieval/scale.mjs --notes 1000,10000,100000 [--asked 100]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeNotes } from './made.mjs';
import { program, startMemory } from './server.mjs';

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '1000,10000,100000' },
    asked: { type: 'string', default: '100' },
    scores: { type: 'boolean', default: false },
  },
});

for (const count of values.notes.split(',').map(Number)) {
  await measure(count, Number(values.asked));
}

async function measure(count, asked) {
  const { notes, questions } = makeNotes(count, { asked });
  const memory = await startMemory();
  try {
    load(memory.home, notes);
    // The first search reads the codes and the model; it is told apart.
    const first = await timed(memory, 'warm up the model and the codes');
    const rows = [];
    const before = processOf(memory.pid);
    for (const question of questions)
      rows.push({ ...question, ...(await timed(memory, question.text)) });
    const after = processOf(memory.pid);
    report({
      count,
      first,
      rows,
      cpuMs: (after.cpuMs - before.cpuMs) / rows.length,
      rss: after.rssMb,
    });
    if (values.scores) await showScores(memory, questions);
  } finally {
    await memory.close();
  }
}

function load(home, notes) {
  const lines = notes.map((note) =>
    JSON.stringify({ kind: 'note', projectId: 'made', groupId: 'facts', ...note }),
  );
  const env = { ...process.env, TINCAN_HOME: home };
  for (const [args, input] of [
    [['import'], lines.join('\n')],
    [['reindex'], ''],
  ]) {
    const { status } = spawnSync(process.execPath, [program, ...args], {
      input,
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`could not ${args[0]} the notes`);
  }
}

async function timed(memory, query, params = {}) {
  const start = performance.now();
  const { results } = await memory.call('search', { projectId: 'made', query, topK: 5, ...params });
  return { ms: performance.now() - start, results };
}

function processOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024,
  };
}

function report({ count, first, rows, cpuMs, rss }) {
  const times = rows.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  console.log(`\n${count} notes, ${rows.length} searches`);
  console.log(
    `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, CPU ${cpuMs.toFixed(1)} ms a search, ` +
      `first ${first.ms.toFixed(0)} ms, resident ${rss.toFixed(0)} MB`,
  );
  const answered = rows.filter(({ answer }) => answer !== undefined);
  const inVain = rows.filter(({ answer }) => answer === undefined);
  for (const kind of new Set(answered.map((row) => row.kind))) {
    const some = answered.filter((row) => row.kind === kind);
    const within = (k) =>
      share(some, ({ results, answer }) => results.slice(0, k).some(({ id }) => id === answer));
    console.log(
      `  ${kind.padEnd(26)} R@1 ${within(1)}  R@5 ${within(5)}  answered ${share(some, ({ results }) => results.length > 0)}`,
    );
  }
  for (const kind of new Set(inVain.map((row) => row.kind))) {
    const some = inVain.filter((row) => row.kind === kind);
    console.log(
      `  ${kind.padEnd(26)} left unanswered ${share(some, ({ results }) => results.length === 0)}`,
    );
  }
  console.log(
    `  all: answered ${share(answered, ({ results }) => results.length > 0)} of those with an answer, ` +
      `${share(inVain, ({ results }) => results.length > 0)} of those without`,
  );
}

function share(list, isSo) {
  return `${((100 * list.filter(isSo).length) / list.length).toFixed(0)} %`.padStart(5);
}

/** How the best score lies for each kind of question: what the default of \`minScore\` was chosen by. */
async function showScores(memory, questions) {
  const byKind = new Map();
  for (const { kind, text } of questions) {
    const { results } = await timed(memory, text, { minScore: 0, topK: 1 });
    byKind.set(kind, [...(byKind.get(kind) ?? []), results[0]?.score ?? 0]);
  }
  console.log('  best score at p5, p50, p95');
  for (const [kind, scores] of byKind) {
    scores.sort((a, b) => a - b);
    const at = (p) => scores[Math.floor(p * (scores.length - 1))].toFixed(2);
    console.log(`  ${kind.padEnd(26)} ${at(0.05)}  ${at(0.5)}  ${at(0.95)}`);
  }
}
