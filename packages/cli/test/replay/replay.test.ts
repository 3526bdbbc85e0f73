import type { TapRecord } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { differencesIn } from '../../src/replay/differences.ts';
import { RecordedClient } from '../../src/replay/recorded-client.ts';

describe('differences between answers', () => {
  it('are told by their smallest places', () => {
    const recorded = { result: { a: 1, list: [1, { b: 2 }], gone: true } };
    const now = { result: { a: 1, list: [1, { b: 3 }, 4] } };
    expect(differencesIn(recorded, now)).toEqual([
      { path: 'result.list[1].b', expected: 2, actual: 3 },
      { path: 'result.list[2]', expected: undefined, actual: 4 },
      { path: 'result.gone', expected: true, actual: undefined },
    ]);
  });

  it('are none where only secrets or ignored members differ', () => {
    const recorded = { result: { token: '[redacted]', at: 1 } };
    const now = { result: { token: 'abc', at: 2 } };
    expect(differencesIn(recorded, now, ['result.at'])).toEqual([]);
  });

  it('show an error in place of a result', () => {
    expect(
      differencesIn({ result: 1 }, { error: { code: 1, message: 'x' } }).map(({ path }) => path),
    ).toEqual(['result', 'error']);
  });
});

function frame(direction: 'client→server' | 'server→client', message: unknown): TapRecord {
  return {
    type: 'frame',
    time: '2026-01-31T12:00:00.000Z',
    direction,
    framing: 'header',
    bytes: 1,
    message,
  };
}

describe('the client of a recording', () => {
  it('sends each request after the notifications that came before it', async () => {
    const client = new RecordedClient([
      frame('client→server', { id: 1, method: 'initialize' }),
      frame('server→client', { id: 1, result: {} }),
      frame('client→server', { method: 'notifications/initialized' }),
      frame('client→server', { id: 2, method: 'never-answered' }),
      frame('client→server', { method: 'notifications/cancelled', params: { requestId: 2 } }),
      frame('client→server', { id: 3, method: 'list' }),
      frame('server→client', { id: 3, result: [] }),
    ]);
    expect(client.requests).toBe(2);
    expect(client.framing).toBe('header');
    const sent: string[] = [];
    const through = client.through({
      request: async (method) => void sent.push(method),
      notify: async (method) => void sent.push(method),
    });
    await through.request('initialize');
    await through.request('list');
    expect(sent).toEqual(['initialize', 'notifications/initialized', 'list']);
  });

  it('answers what the server asks as it did then', () => {
    const { answers } = new RecordedClient([
      frame('server→client', { id: 1, method: 'roots/list' }),
      frame('client→server', { id: 1, result: { roots: [] } }),
    ]);
    expect(answers.map((record) => record.type === 'frame' && record.direction)).toEqual([
      'client→server',
      'server→client',
    ]);
  });
});
