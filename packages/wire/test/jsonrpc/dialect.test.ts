import { describe, expect, it } from 'vitest';
import { cancelledId, lspDialect, mcpDialect, readProgress } from '../../src/jsonrpc/dialect.ts';

describe('the dialect of MCP', () => {
  it('spells cancellation and progress', () => {
    expect(mcpDialect.cancelCall(7, 'why')).toEqual({
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: 'why' },
    });
    expect(mcpDialect.progressCall('t', { progress: 1, total: 2, message: 'm' })).toEqual({
      method: 'notifications/progress',
      params: { progressToken: 't', progress: 1, total: 2, message: 'm' },
    });
    expect(mcpDialect.cancelAnswer).toBeUndefined();
    expect(mcpDialect.uncancellable?.has('initialize')).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [{ _meta: { progressToken: 0 } }, 0],
    [{ _meta: { progressToken: '' } }, ''],
    [{ _meta: { progressToken: null } }, undefined],
    [{ _meta: { progressToken: {} } }, undefined],
    [{ _meta: 'text' }, undefined],
    [{ _meta: null }, undefined],
    [{}, undefined],
    [undefined, undefined],
    [[1], undefined],
  ])('finds the token of %j', (params, token) => {
    expect(mcpDialect.tokenOf(params)).toBe(token);
  });

  it('puts a token in without changing what it is given', () => {
    const params = { a: 1, _meta: { b: 2 } };
    expect(mcpDialect.withToken(params, 5)).toEqual({ a: 1, _meta: { b: 2, progressToken: 5 } });
    expect(params).toEqual({ a: 1, _meta: { b: 2 } });
    expect(mcpDialect.withToken({ _meta: null }, 5)).toEqual({ _meta: { progressToken: 5 } });
  });
});

describe('the dialect of LSP', () => {
  it('spells cancellation and progress', () => {
    expect(lspDialect.cancelCall('x', 'why')).toEqual({
      method: '$/cancelRequest',
      params: { id: 'x' },
    });
    expect(lspDialect.progressCall(1, { progress: 5 })).toEqual({
      method: '$/progress',
      params: { token: 1, value: { progress: 5 } },
    });
    expect(lspDialect.cancelAnswer).toEqual({ code: -32800, message: 'Request cancelled' });
    expect(lspDialect.tokenOf({ workDoneToken: 'w' })).toBe('w');
    expect(lspDialect.tokenOf(undefined)).toBeUndefined();
    expect(lspDialect.withToken(undefined, 3)).toEqual({ workDoneToken: 3 });
  });
});

describe('reading either spelling', () => {
  it.each<[string, unknown, unknown]>([
    ['notifications/cancelled', { requestId: 1 }, 1],
    ['$/cancelRequest', { id: 'x' }, 'x'],
    ['$/cancelRequest', undefined, undefined],
    ['notifications/other', { requestId: 1 }, undefined],
  ])('the id cancelled by %s %j is %j', (method, params, id) => {
    expect(cancelledId(method, params)).toBe(id);
  });

  it.each<[string, object, unknown]>([
    [
      'notifications/progress',
      { progressToken: 1, progress: 2, extra: 3 },
      { token: 1, progress: { progress: 2, extra: 3 } },
    ],
    [
      '$/progress',
      { token: 't', value: { progress: 2 } },
      { token: 't', progress: { progress: 2 } },
    ],
    ['notifications/message', {}, undefined],
  ])('the progress of %s %j', (method, params, expected) => {
    expect(readProgress(method, params)).toEqual(expected);
  });
});
