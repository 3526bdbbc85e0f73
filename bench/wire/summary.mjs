/**
 * Turns the results of all rounds into rows, one per column.
 *
 * @param {import('./workloads.mjs').Workload} workload
 * @param {import('./columns.mjs').Column[]} columns
 * @param {Map<string, object>[]} rounds results of each round by column name
 */
export function summarize(workload, columns, rounds) {
  const rows = [];
  for (const { name, label } of columns) {
    const failed = rounds.map((round) => round.get(name)?.failed).find(Boolean);
    const results = resultsOf(name);
    if (failed) rows.push({ name, label, failed });
    if (failed || results.length === 0) continue;
    rows.push({
      name,
      label,
      value: median(results.map(({ value }) => value)),
      best: best(results.map(({ value }) => value)),
      ratio: pairedRatio(name, ({ value }) => value),
      cpuUs: median(results.map(cpuOf)),
      clientCpuUs: median(results.map(({ cpuUs }) => cpuUs.client)),
      serverCpuUs: median(results.map(({ cpuUs }) => cpuUs.server)),
      cpuRatio: pairedRatio(name, cpuOf, 'lower'),
      overMs: median(paired(name).map(([own, base]) => own.value - base.value)),
      overCpuMs: median(paired(name).map(([own, base]) => (cpuOf(own) - cpuOf(base)) / 1000)),
      peak: peakOf(results),
      note: results.map(({ note }) => note).find(Boolean) ?? '',
    });
  }
  return { workload, rows };

  function resultsOf(name) {
    return rounds.map((round) => round.get(name)).filter((result) => result && !result.failed);
  }

  /** Own result and reference of the same round, so that a busy machine weighs on both. */
  function paired(name) {
    return rounds
      .map((round) => [round.get(name), round.get(workload.reference)])
      .filter(([own, base]) => own && base && !own.failed);
  }

  /** Above 1 is better than the reference, whichever way the figure runs. */
  function pairedRatio(name, pick, better = workload.better) {
    return median(
      paired(name).map(([own, base]) =>
        better === 'higher' ? pick(own) / pick(base) : pick(base) / pick(own),
      ),
    );
  }

  function best(values) {
    return workload.better === 'higher' ? Math.max(...values) : Math.min(...values);
  }
}

function cpuOf({ cpuUs }) {
  return cpuUs.client + cpuUs.server;
}

function peakOf(results) {
  const peaks = results.map(({ peakBytes }) => peakBytes).filter(Boolean);
  if (peaks.length === 0) return undefined;
  return {
    client: Math.max(...peaks.map(({ client }) => client)),
    server: Math.max(...peaks.map(({ server }) => server)),
  };
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
