/**
 * Turns the results of all rounds into rows, one per column.
 *
 * @param {import('./workloads.mjs').Workload} workload
 * @param {import('./columns.mjs').Column[]} columns
 * @param {Map<string, import('./workloads.mjs').Sample[] | { failed: string }>[]} rounds
 */
export function summarize(workload, columns, rounds) {
  const rows = columns.flatMap(({ name, label }) => {
    const results = rounds.map((round) => round.get(name)).filter(Boolean);
    const failed = results.find((result) => result.failed)?.failed;
    if (failed) return [{ name, label, failed }];
    const samples = results.flat();
    if (samples.length === 0) return [];
    const pairs = pairsOf(name);
    const values = samples.map(figureOf);
    const cpu = (side) => median(samples.map(({ cpuUs, messages }) => cpuUs[side] / messages));
    return [
      {
        name,
        label,
        value: median(values),
        best: workload.better === 'higher' ? Math.max(...values) : Math.min(...values),
        ratio: median(
          pairs.map(([own, base]) =>
            workload.better === 'higher'
              ? figureOf(own) / figureOf(base)
              : figureOf(base) / figureOf(own),
          ),
        ),
        cpuUs: median(samples.map(cpuOf)),
        clientCpuUs: cpu('client'),
        serverCpuUs: cpu('server'),
        cpuRatio: median(pairs.map(([own, base]) => cpuOf(base) / cpuOf(own))),
        overMs: median(pairs.map(([own, base]) => own.elapsedMs - base.elapsedMs)),
        overCpuMs: median(pairs.map(([own, base]) => (cpuOf(own) - cpuOf(base)) / 1000)),
        peak: peakOf(samples),
        note: samples[0].note ?? quantiles(samples.flatMap(({ latencies = [] }) => latencies)),
      },
    ];
  });
  return { workload, rows };

  /** Own sample and that of the reference next to it, so that a busy machine weighs on both. */
  function pairsOf(name) {
    return rounds.flatMap((round) => {
      const [own, base] = [round.get(name), round.get(workload.reference)];
      return own && base && !base.failed ? own.map((sample, i) => [sample, base[i]]) : [];
    });
  }

  function figureOf({ messages, elapsedMs }) {
    return workload.better === 'higher' ? (messages / elapsedMs) * 1000 : elapsedMs / messages;
  }
}

function cpuOf({ cpuUs, messages }) {
  return (cpuUs.client + cpuUs.server) / messages;
}

function peakOf(samples) {
  const peaks = samples.map(({ peakBytes }) => peakBytes).filter(Boolean);
  if (peaks.length === 0) return undefined;
  return {
    client: Math.max(...peaks.map(({ client }) => client)),
    server: Math.max(...peaks.map(({ server }) => server)),
  };
}

function quantiles(latencies) {
  if (latencies.length === 0) return '';
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => (sorted[Math.floor(sorted.length * share)] * 1000).toFixed(0);
  return `p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
