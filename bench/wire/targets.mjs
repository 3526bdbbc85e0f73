import { ratio } from './report.mjs';

const OURS = 'tincan';

/** What tincan wire has to reach. A ratio above 1 is better than the reference. */
const targets = [
  atLeast('sequential', 0.9, 'of the floor'),
  atLeast('window64', 0.8, 'of the floor'),
  atLeast('window1024', 0.8, 'of the floor'),
  atLeast('notify', 0.8, 'of the floor'),
  atLeast('flood', 0.8, 'of the floor'),
  atLeast('big10', 1, 'of the floor'),
  {
    target: 'big64',
    wanted: '≤ 7 × the time of big10',
    needs: ['big64', 'big10'],
    measure: (big64, big10) => big64.value / big10.value,
    isMet: (times) => times <= 7,
  },
  {
    target: 'parser',
    wanted: '≤ 1.5 × one toString + JSON.parse',
    needs: ['parser'],
    measure: (row) => 1 / row.ratio,
    isMet: (times) => times <= 1.5,
  },
  {
    target: 'start',
    wanted: '≤ 1.1 × the CPU of bare Node',
    needs: ['start'],
    measure: (row) => 1 / row.cpuRatio,
    isMet: (times) => times <= 1.1,
  },
  {
    target: 'import',
    wanted: '< 15 ms CPU over bare Node',
    needs: ['import'],
    measure: (row) => row.overCpuMs,
    isMet: (ms) => ms < 15,
  },
];

/** Holds the targets against what was measured; those without a measurement are left out. */
export function checkTargets(summaries) {
  const rowOf = (name) =>
    summaries
      .find(({ workload }) => workload.name === name)
      ?.rows.find((row) => row.name === OURS && !row.failed);
  return targets.flatMap(({ target, wanted, needs, measure, isMet }) => {
    const rows = needs.map(rowOf);
    if (rows.includes(undefined)) return [];
    const got = measure(...rows);
    return [{ target, wanted, got: ratio(got), isMet: isMet(got) }];
  });
}

function atLeast(name, bound, unit) {
  return {
    target: name,
    wanted: `≥ ${bound.toFixed(2)} ${unit}`,
    needs: [name],
    measure: (row) => row.ratio,
    isMet: (value) => value >= bound,
  };
}
