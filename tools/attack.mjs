// Attacks the programs that listen or read: hostile requests, bytes, files, servers and users. Every case says what
// the answer must be; after it the server must find its note, answer `/health` and have stayed small.
//
//   npm run attack
//   npm run attack -- --quick            the part that `npm test` runs
//   npm run attack -- --group stdio      the groups whose name has this text
//   npm run attack -- --list             the groups, and why one cannot run here
//
// Exits with 1 when a case fails.

import { parseArgs } from 'node:util';
import { groups } from './attack/groups.mjs';
import { runGroup } from './attack/run-group.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    group: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});

/** Failures of one group that are printed. */
const MAX_SHOWN = 20;

const chosen = groups.filter(({ name }) => name.includes(values.group));
if (values.list) for (const { name, skip } of chosen) console.log(JSON.stringify({ name, skip }));
else process.exitCode = (await attack()) && chosen.length > 0 ? 0 : 1;

async function attack() {
  const reports = [];
  for (const group of chosen) {
    const report = await runGroup(group, { isQuick: values.quick }).catch((error) => ({
      ...{ name: group.name, cases: 0, peak: 0 },
      failures: [`the target did not start: ${error.message}`],
    }));
    reports.push(report);
    console.log(lineOf(report));
    for (const failure of report.failures.slice(0, MAX_SHOWN)) console.log(`  FAILED ${failure}`);
    const hidden = report.failures.length - MAX_SHOWN;
    if (hidden > 0) console.log(`  and ${hidden} more`);
  }
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
  const cases = sum((report) => report.cases);
  const failures = sum((report) => report.failures.length);
  const peak = Math.round(Math.max(...reports.map((report) => report.peak)));
  console.log(`${cases} cases, ${failures} failures, at most ${peak} MB in any program`);
  return failures === 0;
}

function lineOf({ name, cases, failures, peak, skipped }) {
  if (skipped !== undefined) return `${name.padEnd(36)} skipped: ${skipped}`;
  const memory = peak === 0 ? '' : `${Math.round(peak)} MB`;
  return `${name.padEnd(36)} ${String(cases).padStart(5)} cases ${String(failures.length).padStart(4)} failed ${memory.padStart(8)}`;
}
