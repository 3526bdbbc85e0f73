import { describe, expect, it } from 'vitest';
import { Exchange, modern } from '../exchange.ts';

const prompts = [
  {
    name: 'greet',
    description: 'Greets',
    arguments: [
      {
        name: 'who',
        required: true,
        complete: () => Array.from({ length: 150 }, (_, i) => `p${i}`),
      },
      { name: 'how' },
    ],
    get: ({ who, how }: Readonly<Record<string, string>>) => `${how ?? 'Hello'}, ${who}!`,
  },
  {
    name: 'talk',
    get: () => ({
      description: 'A talk',
      messages: [{ role: 'assistant', content: { type: 'text', text: 'hm' } } as const],
    }),
  },
];

describe('prompts', () => {
  it('are listed without functions', async () => {
    const exchange = new Exchange({ prompts });
    expect(await exchange.result('prompts/list')).toEqual({
      prompts: [
        {
          name: 'greet',
          description: 'Greets',
          arguments: [{ name: 'who', required: true }, { name: 'how' }],
        },
        { name: 'talk' },
      ],
    });
  });

  it('become messages', async () => {
    const exchange = new Exchange({ prompts });
    expect(
      await exchange.result('prompts/get', { name: 'greet', arguments: { who: 'Ann' } }),
    ).toEqual({
      description: 'Greets',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello, Ann!' } }],
    });
    expect(await exchange.result('prompts/get', { name: 'talk', ...modern() })).toMatchObject({
      description: 'A talk',
      resultType: 'complete',
    });
  });

  it.each([
    [{ name: 'nope' }, 'unknown prompt `nope`'],
    [{ name: 'greet' }, '`arguments.who` is required'],
    [{ name: 'greet', arguments: { who: 1 } }, 'expected `arguments.who` to be a string'],
    [{ name: 'greet', arguments: 7 }, 'expected `arguments` to be an object'],
    [{ name: 'talk', arguments: [] }, 'expected `arguments` to be an object'],
  ])('refuse %o', async (params, message) => {
    const exchange = new Exchange({ prompts });
    expect(await exchange.error('prompts/get', params)).toMatchObject({ code: -32602, message });
  });

  it('suggest at most a hundred values and say that there are more', async () => {
    const exchange = new Exchange({ prompts });
    const params = {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: '' },
    };
    const { completion } = (await exchange.result('completion/complete', params)) as {
      completion: { values: string[] };
    };
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });
});
