import { parseArgs } from 'node:util';
import { columns as allColumns } from './columns.mjs';
import { measureRound } from './measure.mjs';
import { renderReport } from './report.mjs';
import { summarize } from './summary.mjs';
import { workloads as allWorkloads } from './workloads.mjs';

const HELP = `node bench/wire/run.mjs [options]

  --only a,b     these workloads and columns alone (a reference is always measured too)
  --rounds n     rounds of fresh processes, 5 unless told
  --seconds n    length of one measurement of a rate in a round, 1 unless told
  --pipes        real pipes, as hosts outside Node give them, instead of socket pairs
  --markdown     tables in markdown
  --json         all results as JSON

workloads: ${allWorkloads.map(({ name }) => name).join(', ')}
columns:   ${allColumns.map(({ name }) => name).join(', ')}`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    pipes: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  console.log(HELP);
} else {
  const { workloads, columns } = choose(options.only.split(',').filter(Boolean));
  const summaries = await measureAll(workloads, columns);
  console.log(options.json ? JSON.stringify(summaries, null, 2) : renderReport(summaries, options));
}

/** Names of workloads narrow the workloads, names of columns the columns. */
function choose(names) {
  const known = [...allWorkloads, ...allColumns].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown name \`${unknown.join(', ')}\`\n\n${HELP}`);
  const narrow = (all) => {
    const chosen = all.filter(({ name }) => names.includes(name));
    return chosen.length > 0 ? chosen : all;
  };
  return { workloads: narrow(allWorkloads), columns: narrow(allColumns) };
}

async function measureAll(workloads, columns) {
  const results = new Map(workloads.map(({ name }) => [name, []]));
  const failed = new Set();
  const settings = { pipes: options.pipes, sliceMs: (Number(options.seconds) * 1000) / 10 };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const workload of workloads) {
      const { name } = workload;
      showProgress(`round ${round + 1} of ${options.rounds}: ${name}`);
      const names = inTurn(withReference(columns, workload), round)
        .map((column) => column.name)
        .filter((column) => !failed.has(`${name}/${column}`));
      const byColumn = await measureRound(workload, names, settings);
      for (const [column, result] of byColumn) if (result.failed) failed.add(`${name}/${column}`);
      results.get(name).push(byColumn);
    }
  }
  showProgress('');
  return workloads.map((workload) =>
    summarize(workload, withReference(columns, workload), results.get(workload.name)),
  );
}

function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function withReference(columns, { reference }) {
  return allColumns.filter((column) => column.name === reference || columns.includes(column));
}

/** Another column goes first in each round, so that none always follows the same neighbour's noise. */
function inTurn(columns, round) {
  const first = round % columns.length;
  return [...columns.slice(first), ...columns.slice(0, first)];
}
