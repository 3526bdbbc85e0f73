import { expect, it } from 'vitest';
import { type Offers, renderOffers } from '../../src/call/list-offers.ts';
import { memoryIo } from '../memory-io.ts';

const OFFERS: Offers = {
  server: { name: 'shop', version: '1.0.0' },
  era: 'legacy',
  protocolVersion: '2025-11-25',
  tools: [
    {
      name: 'buy',
      description: 'Buys  what\nis named',
      inputSchema: { type: 'object', properties: { what: { type: 'string' }, count: {} } },
    },
  ],
  resources: [
    { name: 'a', uri: `shop://${'long/'.repeat(8)}a`, description: 'First' },
    { name: 'b', uri: 'shop://b', description: 'Second' },
  ],
  resourceTemplates: [],
  prompts: [],
};

it('lists what there is, texts below each other, long names on lines of their own', () => {
  expect(renderOffers(OFFERS, memoryIo({ columns: 60 })).join('\n')).toMatchInlineSnapshot(`
    "shop 1.0.0 (legacy, 2025-11-25)

    Tools
      buy  Buys what is named
           what?: string, count?

    Resources
      shop://long/long/long/long/long/long/long/long/a
                                                First
      shop://b                                  Second"
  `);
});

it('does not take a terminal that does not know its width for a narrow one', () => {
  expect(memoryIo({ columns: 0 }).width).toBe(100);
});
