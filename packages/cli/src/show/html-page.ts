import { formatBytes, formatMs } from '../format/measure.ts';
import { createPaint } from '../format/paint.ts';
import { calledName } from './item-line.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-assets.ts';
import { statsOf } from './stats.ts';
import { summaryOf } from './summary.ts';
import { isFailed, type TimelineItem } from './timeline.ts';

/** Beyond this many rows a browser labours, and nobody reads. */
const MAX_ROWS = 5000;

/** A session as one self-contained page: a timeline, its figures, and the messages behind them. */
export function timelinePage(items: readonly TimelineItem[], title: string): string {
  const startMs = items[0]?.timeMs ?? 0;
  const endMs = items.reduce((latest, item) => Math.max(latest, endOf(item)), startMs + 1);
  const span = endMs - startMs;
  const shown = items.slice(0, MAX_ROWS);
  const rows = shown.map((item, index) => row(item, index, { startMs, span }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – tincan</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(summaryOf(items, createPaint(false)))}</p>
<p class="tools"><input id="filter" type="search" placeholder="filter by method or text" aria-label="filter">
<label><input id="errors" type="checkbox"> errors only</label></p>
</header>
<main>
<section aria-label="timeline">
<div class="axis">${axis(span)}</div>
${rows.join('\n')}
${items.length > MAX_ROWS ? `<p>The first ${MAX_ROWS} of ${items.length} entries; the figures are of all.</p>` : ''}
</section>
<p id="nothing" hidden>Nothing matches.</p>
<section class="figures" aria-label="figures"><h2>By method</h2>${figures(items)}</section>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function endOf(item: TimelineItem): number {
  return item.timeMs + (item.kind === 'call' ? (item.answer?.latencyMs ?? 0) : 0);
}

interface Scale {
  readonly startMs: number;
  readonly span: number;
}

function row(item: TimelineItem, index: number, { startMs, span }: Scale): string {
  const left = ((item.timeMs - startMs) / span) * 100;
  const latency = item.kind === 'call' ? item.answer?.latencyMs : undefined;
  const isOpen = item.kind === 'call' && item.answer === undefined;
  const width = isOpen ? 100 - left : ((latency ?? 0) / span) * 100;
  const { label, fact, state } = describe(item);
  const time = `+${((item.timeMs - startMs) / 1000).toFixed(3)}s`;
  return `<details class="row ${state}" id="item-${index}"><summary>
<span class="time">${time}</span><span class="label">${escapeHtml(label)}</span><span class="lane"><i style="left:${left.toFixed(3)}%;width:${Math.min(width, 100 - left).toFixed(3)}%"></i></span><span class="fact">${escapeHtml(fact)}</span>
</summary><pre>${escapeHtml(JSON.stringify(detailOf(item), null, 2) ?? '')}</pre></details>`;
}

function describe(item: TimelineItem): { label: string; fact: string; state: string } {
  if (item.kind === 'call') {
    const label = `${arrow(item.direction)} ${item.method} ${calledName(item)}`.trimEnd();
    if (item.answer === undefined) return { label, fact: 'no answer', state: 'call open' };
    const { latencyMs, bytes } = item.answer;
    const fact = `${formatMs(latencyMs)} · ${formatBytes(bytes)}`;
    return { label, fact, state: isFailed(item) ? 'call failed' : 'call' };
  }
  if (item.kind === 'notification') {
    return {
      label: `${arrow(item.direction)} ${item.method}`,
      fact: formatBytes(item.bytes),
      state: 'note',
    };
  }
  if (item.kind === 'stray') {
    const state = item.source === 'stdout' ? 'stray failed' : 'stray';
    return { label: `${item.source}: ${item.text.slice(0, 200)}`, fact: '', state };
  }
  if (item.kind === 'odd') return { label: 'answer to nothing', fact: '', state: 'failed' };
  const how = item.signal === null ? `exit code ${item.exitCode}` : `ended by ${item.signal}`;
  return { label: `■ ${how}`, fact: '', state: item.exitCode === 0 ? 'exit' : 'exit open' };
}

function arrow(direction: string): string {
  return direction === 'client→server' ? '→' : '←';
}

/** What is shown when a row is opened. */
function detailOf(item: TimelineItem): unknown {
  if (item.kind === 'call') {
    const { id, method, params, answer } = item;
    return { id, method, params, ...(answer === undefined ? {} : answer) };
  }
  const { kind: _, timeMs, ...rest } = item;
  return { time: new Date(timeMs).toISOString(), ...rest };
}

function axis(span: number): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map((share) => {
      const text = share === 0 ? '0' : formatMs(span * share);
      return `<span style="left:${share * 100}%">${text}</span>`;
    })
    .join('');
}

function figures(items: readonly TimelineItem[]): string {
  const ms = (value: number | undefined): string => (value === undefined ? '–' : formatMs(value));
  const rows = statsOf(items).map((stats) => {
    const cells = [
      stats.count,
      stats.errors,
      stats.unanswered,
      ms(stats.p50Ms),
      ms(stats.p99Ms),
      ms(stats.maxMs),
      formatBytes(stats.bytesOut),
      formatBytes(stats.bytesIn),
    ];
    const name = escapeHtml(`${stats.direction} ${stats.method}`);
    return `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const head = ['method', 'calls', 'errors', 'open', 'p50', 'p99', 'max', 'sent', 'received'];
  return `<table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
