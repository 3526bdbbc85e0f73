import { describe, expect, it } from 'vitest';
import { findMethod } from '../../src/methods/methods.ts';
import { toolParams } from '../../src/methods/tool-params.ts';

function paramsOf(name: string, args: Readonly<Record<string, unknown>>): unknown {
  const method = findMethod(`memory.${name}`);
  if (method === undefined) throw new Error(`no method ${name}`);
  return toolParams(method, args);
}

describe('arguments of a tool', () => {
  it.each([
    ['search', { topK: '3' }, { topK: 3 }],
    ['search', { topK: '-1' }, { topK: -1 }],
    ['search', { topK: '1.5' }, { topK: 1.5 }],
    ['search', { minScore: '0.5' }, { minScore: 0.5 }],
    ['search', { topK: 'many' }, { topK: 'many' }],
    ['search', { topK: '' }, { topK: '' }],
    ['search', { topK: '0x10' }, { topK: '0x10' }],
    ['search', { topK: '1e3' }, { topK: '1e3' }],
    ['search', { query: '3' }, { query: '3' }],
    ['delete', { hard: 'true' }, { hard: true }],
    ['delete', { hard: 'false' }, { hard: false }],
    ['delete', { hard: 'yes' }, { hard: 'yes' }],
    ['update', { patch: { title: '3', tags: null } }, { patch: { title: '3', tags: null } }],
    ['update', { ifRevision: '2' }, { ifRevision: 2 }],
    ['get', { unknown: '3' }, { unknown: '3' }],
    ['get', { toString: '3' }, { toString: '3' }],
  ])('%s %j are the parameters %j', (name, args, params) => {
    expect(paramsOf(name, args)).toEqual(params);
  });

  it.each([
    ['{"indent":2}', { indent: 2 }],
    ['[1,null]', [1, null]],
    ['3', 3],
    ['true', true],
    ['null', null],
    ['"quoted"', 'quoted'],
    ['plain text', 'plain text'],
    ['{broken', '{broken'],
    ['', ''],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e999', '1e999'],
    [{ indent: 2 }, { indent: 2 }],
    [3, 3],
    [null, null],
  ])('a value %j is %j', (value, expected) => {
    expect(paramsOf('upsert_global', { value })).toEqual({ value: expected });
  });

  it.each([
    [{}, 'global'],
    [{ groupId: null }, 'global'],
    [{ groupId: 'auth' }, 'auth'],
    [{ groupId: '' }, ''],
  ])('a note given %j is in the group `%s`', (args, groupId) => {
    expect(paramsOf('add_note', args)).toEqual({ groupId });
  });

  it.each(['search', 'list_recent'])('%s without a groupId means all groups', (name) => {
    expect(paramsOf(name, { projectId: 'p' })).toEqual({ projectId: 'p' });
  });

  it('keeps a name that objects inherit as one of its own', () => {
    const args = JSON.parse('{"id":"x","__proto__":{"hard":true}}') as Record<string, unknown>;
    expect(Object.keys(paramsOf('delete', args) as object)).toEqual(['id', '__proto__']);
  });
});
