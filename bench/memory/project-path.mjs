// What a search costs when the project is named by a path instead of a plain name: CPU of this process, the
// same notes under both names, one call of each in turn. The path is in a linked worktree of a repository,
// which takes the most steps to resolve.
//
//   node bench/memory/project-path.mjs [--notes 10000] [--calls 500] [--rounds 15] [--provider local]

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { callMethod, loadSettings, Memory } from '../../packages/memory/dist/index.js';
import { makeNote, makeQuery } from './notes.mjs';

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '15' },
    provider: { type: 'string', default: 'local' },
  },
});
const home = mkdtempSync(join(tmpdir(), 'tincan-bench-'));
const env = { TINCAN_HOME: home, TINCAN_EMBEDDER_PROVIDER: values.provider };
const memory = new Memory({ settings: await loadSettings({ env }) });
const call = (method, params) => callMethod(memory, `memory.${method}`, params);
const projects = ['plain-name', makeWorktree()];

try {
  const notes = Array.from({ length: Number(values.notes) }, makeNote);
  // In turn, so that neither project has the better place in the store.
  for (let i = 0; i < notes.length; i += 125) {
    const batch = notes.slice(i, i + 125).flatMap(({ text }, at) => {
      const pair = projects.map((projectId) => ({ projectId, groupId: 'g', text }));
      return at % 2 === 0 ? pair : pair.toReversed();
    });
    await Promise.all(batch.map((note) => call('add_note', note)));
  }
  await memory.reindex();
  for (let i = 0; i < 100; i++) await searchBoth(makeQuery(notes[i % notes.length]), [0, 0]);
  const ratios = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const spent = [0, 0];
    for (let i = 0; i < Number(values.calls); i++) {
      await searchBoth(makeQuery(notes[(i * 7919 + round) % notes.length]), spent, i % 2);
    }
    ratios.push(spent[1] / spent[0]);
    const [name, path] = spent.map((ms) => (ms / Number(values.calls)).toFixed(3));
    console.log(`round ${round + 1}: name ${name} ms, path ${path} ms CPU a search`);
  }
  report(ratios);
} finally {
  await memory.close();
  rmSync(home, { recursive: true, force: true });
}

/** One search of each project, adding what each cost. */
async function searchBoth(query, spent, first = 0) {
  for (const which of [first, 1 - first]) {
    const before = cpuMs();
    await call('search', { projectId: projects[which], query });
    spent[which] += cpuMs() - before;
  }
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A folder six levels deep in a linked worktree. */
function makeWorktree() {
  const [main, tree] = [join(home, 'main'), join(home, 'tree')];
  mkdirSync(main);
  const git = (...args) =>
    execFileSync('git', ['-C', main, '-c', 'user.name=b', '-c', 'user.email=b@b', ...args]);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', tree);
  const folder = join(tree, 'packages/app/src/server/http/routes');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function report(ratios) {
  const mean = ratios.reduce((sum, each) => sum + each, 0) / ratios.length;
  const variance = ratios.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (ratios.length - 1);
  const half = (1.96 * Math.sqrt(variance)) / Math.sqrt(ratios.length);
  const percent = (ratio) => `${((ratio - 1) * 100).toFixed(1)} %`;
  console.log(
    `a path costs ${percent(mean)} over a plain name, 95 % interval ${percent(mean - half)} to ${percent(mean + half)}`,
  );
}
