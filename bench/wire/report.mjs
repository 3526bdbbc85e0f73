import { checkTargets } from './targets.mjs';

const MIB = 2 ** 20;

/** The whole report as text: aligned for a terminal, or as markdown. */
export function renderReport(summaries, { markdown }) {
  const render = markdown ? markdownTable : alignedTable;
  const parts = summaries.map((summary) => renderWorkload(summary, render));
  const targets = checkTargets(summaries);
  if (targets.length > 0) {
    const rows = targets.map(({ target, wanted, got, isMet }) => [
      target,
      wanted,
      got,
      isMet ? 'met' : 'not met',
    ]);
    parts.push(`### targets\n\n${render([['tincan wire', 'target', 'measured', ''], ...rows])}`);
  }
  return parts.join('\n\n');
}

function renderWorkload({ workload, rows }, render) {
  const { name, title, reference, cpuUnit } = workload;
  const head = ['column', 'median', 'best', `vs ${reference}`];
  head.push(`CPU ${cpuUnit} (client + server)`, `CPU vs ${reference}`, 'peak MiB', 'note');
  const cells = rows.map((row) =>
    row.failed ? [row.label, 'failed', '', '', '', '', '', row.failed] : rowCells(row, workload),
  );
  return `### ${name}: ${title}\n\n${render(dropEmpty([head, ...cells]))}`;
}

function rowCells(row, { cpuUnit, name }) {
  const scale = cpuUnit === 'ms' ? 1000 : 1;
  const [cpu, client, server] = [row.cpuUs, row.clientCpuUs, row.serverCpuUs].map((us) =>
    number(us / scale),
  );
  const isSplit = row.clientCpuUs > 0 && row.serverCpuUs > 0;
  return [
    row.label,
    number(row.value),
    number(row.best),
    ratio(row.ratio),
    isSplit ? `${cpu} (${client} + ${server})` : cpu,
    ratio(row.cpuRatio),
    row.peak ? peak(row.peak) : '',
    name === 'import' || name === 'start' ? overReference(row) : row.note,
  ];
}

function overReference({ overMs, overCpuMs }) {
  return `${signed(overMs)} ms, ${signed(overCpuMs)} ms CPU over bare Node`;
}

function peak({ client, server }) {
  const [own, other] = [client, server].map((bytes) => (bytes / MIB).toFixed(0));
  return client > 0 ? `${own} + ${other}` : other;
}

/** Three significant digits, thousands as `k`. */
export function number(value) {
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)}M`;
  if (value >= 1e4) return `${(value / 1e3).toPrecision(3)}k`;
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
}

export function ratio(value) {
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

function signed(value) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

function dropEmpty(table) {
  const [head, ...body] = table;
  const keep = head.map((_, column) => column === 0 || body.some((row) => row[column] !== ''));
  return table.map((row) => row.filter((_, column) => keep[column]));
}

function markdownTable([head, ...body]) {
  const lines = [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...body];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function alignedTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
        )
        .join('  '),
    )
    .join('\n');
}
