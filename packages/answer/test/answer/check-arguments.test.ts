import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../src/answer/check-arguments.ts';
import { tools } from '../../src/answer/tools.ts';

const schemaOf = (name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  return tool.inputSchema;
};

describe('checkArguments', () => {
  it.each([
    [{ query: 'q' }],
    [{ query: 'q', recency_days: 0, max_results: 50, domains: [], fresh: false }],
    [{ query: '日本語', recency_days: 1.5, domains: ['a.com'] }],
  ])('lets %j through', (args) => {
    expect(checkArguments(args, schemaOf('answer'))).toEqual(args);
  });

  it.each([
    [undefined, 'it expected object, got undefined'],
    [null, 'it expected object, got null'],
    [[], 'it expected object, got array'],
    [{}, '`query` is required'],
    [{ query: '' }, '`query` must not be empty'],
    [{ query: ' \n' }, '`query` must match'],
    [{ query: 5 }, '`query` expected string, got number'],
    [{ query: 'q', recency_days: 'NaN' }, '`recency_days` expected number, got string'],
    [{ query: 'q', recency_days: Number.NaN }, '`recency_days` expected number'],
    [{ query: 'q', max_results: -5 }, '`max_results` expected at least 1, got -5'],
    [{ query: 'q', domains: 'abc' }, '`domains` expected array, got string'],
    [{ query: 'q', domains: ['a.com', 3] }, '`domains[1]` expected string'],
    [{ query: 'q', fresh: 'yes' }, '`fresh` expected boolean'],
  ])('refuses %j', (args, message) => {
    expect(() => checkArguments(args, schemaOf('answer'))).toThrow(
      expect.objectContaining({ kind: 'arguments', message: expect.stringContaining(message) }),
    );
  });

  it.each([
    ['answer', { recency: 3, toString: 3, _meta: {} }],
    ['answer_quick', { domains: ['a.com'] }],
  ] as const)('ignores what `%s` does not have, as the reference does', (tool, more) => {
    expect(checkArguments({ query: 'q', ...more }, schemaOf(tool))).toEqual({ query: 'q' });
  });
});
