import { describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../../src/index.ts';
import { matchUri } from '../../src/server/uri-template.ts';
import { Exchange, modern } from '../exchange.ts';

const definition: Partial<ServerDefinition> = {
  resources: [
    { uri: 'test://a', name: 'a', mimeType: 'text/plain', read: () => 'content of a' },
    {
      uri: 'test://b',
      name: 'b',
      read: (uri) => [
        { uri, blob: 'AAAA' },
        { uri: `${uri}#2`, text: 'x' },
      ],
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'note:///{id}',
      name: 'note',
      mimeType: 'application/json',
      complete: { id: (value) => ['n1', 'n2', 'x3'].filter((id) => id.startsWith(value)) },
      read: ({ id }, { uri }) => (id === 'gone' ? undefined : JSON.stringify({ id, uri })),
    },
  ],
};

describe('resources', () => {
  it('are listed without their readers', async () => {
    const exchange = new Exchange(definition);
    expect(await exchange.result('resources/list')).toEqual({
      resources: [
        { uri: 'test://a', name: 'a', mimeType: 'text/plain' },
        { uri: 'test://b', name: 'b' },
      ],
    });
    expect(await exchange.result('resources/templates/list')).toEqual({
      resourceTemplates: [
        { uriTemplate: 'note:///{id}', name: 'note', mimeType: 'application/json' },
      ],
    });
  });

  it('are read as text, as several parts, and through templates', async () => {
    const exchange = new Exchange(definition);
    expect(await exchange.result('resources/read', { uri: 'test://a' })).toEqual({
      contents: [{ uri: 'test://a', mimeType: 'text/plain', text: 'content of a' }],
    });
    const { contents } = await exchange.result('resources/read', { uri: 'test://b' });
    expect(contents).toHaveLength(2);
    expect(
      await exchange.result('resources/read', { uri: 'note:///a%20b', ...modern() }),
    ).toMatchObject({
      contents: [{ uri: 'note:///a%20b', text: '{"id":"a b","uri":"note:///a%20b"}' }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('that do not exist are -32002 to legacy clients and -32602 to modern ones', async () => {
    const exchange = new Exchange(definition);
    for (const uri of ['test://c', 'note:///gone', 'note:///a/b']) {
      expect(await exchange.error('resources/read', { uri })).toMatchObject({
        code: -32002,
        data: { uri },
      });
      expect(await exchange.error('resources/read', { uri, ...modern() })).toMatchObject({
        code: -32602,
        data: { uri },
      });
    }
    expect(await exchange.error('resources/read', {})).toMatchObject({
      code: -32602,
      data: { path: 'uri' },
    });
  });

  it('that come and go follow the declared ones, page by page', async () => {
    const exchange = new Exchange({
      ...definition,
      listResources: async (cursor) =>
        cursor === undefined
          ? { resources: [{ uri: 'note:///1', name: 'one' }], nextCursor: 'next' }
          : { resources: [{ uri: `note:///${cursor}`, name: cursor }] },
    });
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const page = await exchange.result('resources/list', cursor === undefined ? {} : { cursor });
      uris.push(...(page['resources'] as { uri: string }[]).map(({ uri }) => uri));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(uris).toEqual(['test://a', 'test://b', 'note:///1', 'note:///next']);
  });

  it('complete the variables of their templates', async () => {
    const exchange = new Exchange(definition);
    const ref = { type: 'ref/resource', uri: 'note:///{id}' };
    const params = { ref, argument: { name: 'id', value: 'n' } };
    expect(await exchange.result('completion/complete', params)).toEqual({
      completion: { values: ['n1', 'n2'], total: 2, hasMore: false },
    });
    const unknown = { ...params, argument: { name: 'other', value: '' } };
    expect(await exchange.result('completion/complete', unknown)).toMatchObject({
      completion: { values: [] },
    });
    for (const bad of [
      { type: 'ref/resource', uri: 'x:' },
      { type: 'ref/prompt', name: 'x' },
      { type: 'x' },
    ]) {
      expect(await exchange.error('completion/complete', { ...params, ref: bad })).toMatchObject({
        code: -32602,
      });
    }
    expect(await exchange.error('completion/complete', { ref })).toMatchObject({ code: -32602 });
  });
});

describe('matchUri', () => {
  it.each([
    ['note:///{id}', 'note:///7', { id: '7' }],
    ['note:///{id}', 'note:///', undefined],
    ['note:///{id}', 'note:///a/b', undefined],
    ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
    ['x://{a}/y/{b}', 'x://1/y/2', { a: '1', b: '2' }],
    ['a.b://{c}', 'aXb://1', undefined],
    ['x://{a}', 'x://%E3%81%82', { a: 'あ' }],
    ['x://{a}', 'x://100%', { a: '100%' }],
  ])('%s against %s', (template, uri, expected) => {
    expect(matchUri(template, uri)).toEqual(expected);
  });
});
