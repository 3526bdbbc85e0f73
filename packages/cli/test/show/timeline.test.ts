import type { TapRecord } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../../src/format/paint.ts';
import { timelinePage } from '../../src/show/html-page.ts';
import { itemLine } from '../../src/show/item-line.ts';
import { LiveView } from '../../src/show/live-view.ts';
import { RecordReader } from '../../src/show/record-reader.ts';
import { statsOf, statsTable } from '../../src/show/stats.ts';
import { summaryOf } from '../../src/show/summary.ts';
import { Timeline, type TimelineItem } from '../../src/show/timeline.ts';

const paint = createPaint(false);
const START = Date.parse('2026-01-31T12:00:00.000Z');

function frame(
  offset: number,
  from: 'client' | 'server',
  message: unknown,
  latencyMs?: number,
): TapRecord {
  return {
    type: 'frame',
    time: new Date(START + offset).toISOString(),
    direction: from === 'client' ? 'client→server' : 'server→client',
    framing: 'line',
    bytes: JSON.stringify(message).length,
    ...(latencyMs !== undefined && { latencyMs }),
    message,
  };
}

const RECORDS: readonly TapRecord[] = [
  frame(0, 'client', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
  { type: 'stray', time: new Date(START + 2).toISOString(), source: 'stderr', text: 'ready' },
  frame(5, 'server', { jsonrpc: '2.0', id: 1, result: { ok: true } }, 4.5),
  frame(6, 'client', { jsonrpc: '2.0', method: 'notifications/initialized' }),
  frame(10, 'client', {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'slow', _meta: { progressToken: 7 } },
  }),
  frame(11, 'server', {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 1 },
  }),
  frame(12, 'server', { jsonrpc: '2.0', id: 1, method: 'roots/list' }),
  frame(13, 'client', { jsonrpc: '2.0', id: 1, result: { roots: [] } }, 1),
  frame(40, 'server', { jsonrpc: '2.0', id: 2, result: { content: [], isError: true } }, 30),
  frame(41, 'client', { jsonrpc: '2.0', id: 3, method: 'nope' }),
  frame(
    42,
    'server',
    { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'no such \u001B[31mmethod' } },
    1,
  ),
  { type: 'stray', time: new Date(START + 43).toISOString(), source: 'stdout', text: 'debug <b>' },
  frame(50, 'client', [
    { jsonrpc: '2.0', id: 4, method: 'ping' },
    { jsonrpc: '2.0', id: 5, method: 'ping' },
  ]),
  frame(52, 'server', [{ jsonrpc: '2.0', id: 4, result: {} }]),
  frame(53, 'server', { jsonrpc: '2.0', id: 99, result: {} }),
  { type: 'exit', time: new Date(START + 60).toISOString(), exitCode: null, signal: 'SIGKILL' },
];

function itemsOf(records: readonly TapRecord[]): TimelineItem[] {
  const timeline = new Timeline();
  for (const record of records) timeline.add(record);
  return timeline.items;
}

const items = itemsOf(RECORDS);
const calls = items.flatMap((item) => (item.kind === 'call' ? [item] : []));

describe('a timeline', () => {
  it('joins answers to requests by direction and id, also in batches', () => {
    expect(calls.map(({ method, answer }) => [method, answer?.latencyMs])).toEqual([
      ['initialize', 4.5],
      ['tools/call', 30],
      ['roots/list', 1],
      ['nope', 1],
      ['ping', 2],
      ['ping', undefined],
    ]);
  });

  it('counts progress on its call and keeps everything else in order', () => {
    expect(calls[1]?.progress).toBe(1);
    expect(items.map(({ kind }) => kind).filter((kind) => kind !== 'call')).toEqual([
      'stray',
      'notification',
      'notification',
      'stray',
      'odd',
      'exit',
    ]);
  });

  it('starts anew after an exit: an id of the next session is another', () => {
    const twice = itemsOf([
      frame(0, 'client', { id: 1, method: 'a' }),
      { type: 'exit', time: new Date(START).toISOString(), exitCode: 0, signal: null },
      frame(9, 'server', { id: 1, result: 1 }),
    ]);
    expect(twice.map(({ kind }) => kind)).toEqual(['call', 'exit', 'odd']);
  });
});

describe('a line of a recording', () => {
  const line = (item: TimelineItem | undefined, width = 100): string =>
    item === undefined ? '' : itemLine(item, { paint, width, startMs: START });

  it.each([
    [calls[0], '+0.000s → initialize  4.50 ms', '✓ {"ok":true}'],
    [calls[1], '→ tools/call slow  30.0 ms', '1×progress  ✗'],
    [calls[2], '← roots/list', '✓'],
    [calls[3], '→ nope', '✗ -32601 no such \\x1b[31mmethod'],
    [calls[5], '→ ping', 'no answer'],
    [
      items.find((item) => item.kind === 'stray' && item.source === 'stdout'),
      'stdout',
      'debug <b>',
    ],
    [items.at(-1), '■', 'ended by SIGKILL'],
    [items.at(-2), '←', 'answer to nothing'],
  ])('says what happened', (item, first, second) => {
    expect(line(item)).toContain(first);
    expect(line(item)).toContain(second);
  });

  it('keeps to the width', () => {
    const long = itemsOf([
      frame(0, 'client', { id: 1, method: 'x', params: {} }),
      frame(1, 'server', { id: 1, result: 'y'.repeat(5000) }, 1),
    ]);
    expect(line(long[0], 80).length).toBeLessThanOrEqual(80);
  });
});

describe('figures of a recording', () => {
  it('count calls, errors and open ones, with percentiles by nearest rank', () => {
    const many = itemsOf(
      Array.from({ length: 100 }, (_, index) => [
        frame(index, 'client', { id: index, method: 'm' }),
        frame(index, 'server', { id: index, result: 0 }, index + 1),
      ]).flat(),
    );
    expect(statsOf(many)).toMatchObject([
      { method: 'm', count: 100, p50Ms: 50, p99Ms: 99, maxMs: 100 },
    ]);
    const byMethod = Object.fromEntries(statsOf(items).map((row) => [row.method, row]));
    expect(byMethod['tools/call slow']).toMatchObject({ errors: 1, unanswered: 0, direction: '→' });
    expect(byMethod['ping']).toMatchObject({ count: 2, unanswered: 1 });
    expect(byMethod['roots/list']).toMatchObject({ direction: '←' });
  });

  it('stand in a table and in one line', () => {
    expect(statsTable(statsOf(items), paint)[0]).toMatch(/method +calls +errors +open +p50 +p99/);
    expect(summaryOf(items, paint)).toBe(
      '6 calls · 2 failed · 1 unanswered · 2 notifications · 1 stray on stdout · 60.0 ms',
    );
  });
});

describe('the page of a recording', () => {
  const page = timelinePage(items, 'session <1>.ndjson');

  it('holds every item, and nothing from elsewhere', () => {
    expect(page.match(/<details class="row/g)).toHaveLength(items.length);
    expect(page).not.toMatch(/(?:src|href)=|https?:\/\/|@import|url\(/);
  });

  it('lets no text of a session become markup', () => {
    expect(page).toContain('session &lt;1&gt;.ndjson');
    expect(page).toContain('debug &lt;b&gt;');
    expect(page).not.toContain('debug <b>');
  });

  it('puts bars where the calls were', () => {
    expect(page).toMatch(
      /tools\/call slow<\/span><span class="lane"><i style="left:16\.\d+%;width:50\.000%/,
    );
  });
});

describe('a live view', () => {
  it('says when a call begins and when it is answered', () => {
    const view = new LiveView(paint, 100);
    const lines = RECORDS.flatMap((record) => view.add(record));
    expect(lines[0]).toContain('→ initialize … {}');
    expect(lines[2]).toContain('→ initialize  4.50 ms');
    expect(lines.at(-1)).toContain('ended by SIGKILL');
  });
});

describe('a reader of recordings', () => {
  const bytes = Buffer.from(RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));

  it('reads the same whatever the pieces', () => {
    for (const size of [1, 7, 64, bytes.length]) {
      const reader = new RecordReader();
      const records: TapRecord[] = [];
      for (let at = 0; at < bytes.length; at += size)
        records.push(...reader.push(bytes.subarray(at, at + size)));
      expect([...records, ...reader.end()]).toEqual(RECORDS);
      expect(reader.badLines).toBe(0);
    }
  });

  it('passes over a line cut short, and counts it', () => {
    const reader = new RecordReader();
    const records = [...reader.push(bytes.subarray(0, bytes.length - 20)), ...reader.end()];
    expect(records).toHaveLength(RECORDS.length - 1);
    expect(reader.badLines).toBe(1);
  });
});

describe('a recording of hundreds of thousands of calls', () => {
  const COUNT = 300_000;
  const timeline = new Timeline();
  for (let id = 0; id < COUNT; id++) {
    timeline.add(frame(id, 'client', { jsonrpc: '2.0', id, method: 'ping' }));
    timeline.add(frame(id, 'server', { jsonrpc: '2.0', id, result: {} }, 0.5));
  }

  it('has figures of all of them', () => {
    expect(statsOf(timeline.items)).toEqual([
      expect.objectContaining({ method: 'ping', count: COUNT, unanswered: 0, maxMs: 0.5 }),
    ]);
  });

  it('is a page that a browser can show, and says what is left out', () => {
    const page = timelinePage(timeline.items, 'long.ndjson');
    expect(page.match(/<details/g)).toHaveLength(5000);
    expect(page).toContain(`The first 5000 of ${COUNT} entries`);
    expect(page).toContain(`<td>${COUNT}</td>`);
  });
});
