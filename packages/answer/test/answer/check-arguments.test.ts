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
    [undefined, 'expected `arguments` to be an object, got `none`'],
    [null, 'expected `arguments` to be an object, got `null`'],
    [[], 'expected `arguments` to be an object, got `[]`'],
    [{}, 'expected `query`, got none'],
    [{ query: '' }, 'expected `query` to be a text of 1 to 100000 characters that is not blank'],
    [{ query: ' \n' }, 'not blank'],
    [{ query: 5 }, 'got `5`'],
    [{ query: 'q', recency_days: 'NaN' }, 'expected `recency_days` to be a number from 0 to 36500'],
    [{ query: 'q', recency_days: Number.NaN }, 'expected `recency_days`'],
    [
      { query: 'q', max_results: -5 },
      'expected `max_results` to be a number from 1 to 50, got `-5`',
    ],
    [{ query: 'q', domains: 'abc' }, 'expected `domains` to be a list of at most 100 items'],
    [{ query: 'q', domains: ['a.com', 3] }, 'expected `domains[1]` to be a text'],
    [{ query: 'q', fresh: 'yes' }, 'expected `fresh` to be `true` or `false`'],
    [{ query: 'q', recency: 3 }, 'unknown argument `recency`; did you mean `recency_days`?'],
    [{ query: 'q', toString: 3 }, 'unknown argument `toString`'],
    [{ query: 'q', zzz: 3 }, 'unknown argument `zzz`'],
  ])('refuses %j', (args, message) => {
    expect(() => checkArguments(args, schemaOf('answer'))).toThrow(
      expect.objectContaining({ kind: 'arguments', message: expect.stringContaining(message) }),
    );
  });

  it('knows that `answer_quick` takes a question only', () => {
    expect(() => checkArguments({ query: 'q', domains: [] }, schemaOf('answer_quick'))).toThrow(
      'unknown argument `domains`',
    );
  });

  it('cuts a long value in its message', () => {
    const long = { query: 'q', max_results: 'x'.repeat(500) };
    expect(() => checkArguments(long, schemaOf('answer'))).toThrow(/got `.{58}`$/u);
  });
});
