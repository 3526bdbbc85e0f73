import { describe, expect, it } from 'vitest';
import { ProjectNames } from '../../src/service/project-names.ts';
import { makeMemory } from './fake-memory.ts';

const base = { home: '/home/me', cwd: '/work' };

function counted(): { names: ProjectNames; asked: string[]; clock: { now: number } } {
  const asked: string[] = [];
  const clock = { now: 0 };
  const resolve = async (projectId: string): Promise<string> => {
    asked.push(projectId);
    return `${projectId}#${asked.length}`;
  };
  return { names: new ProjectNames(base, { resolve, now: () => clock.now }), asked, clock };
}

describe('names of projects', () => {
  it('are resolved once for many calls, and again after a moment', async () => {
    const { names, asked, clock } = counted();
    const all = await Promise.all([names.canonical('/a'), names.canonical('/a')]);
    expect(all).toEqual(['/a#1', '/a#1']);
    clock.now = 1_999;
    expect(await names.canonical('/a')).toBe('/a#1');
    clock.now = 2_000;
    expect(await names.canonical('/a')).toBe('/a#2');
    expect(asked).toHaveLength(2);
  });

  it('are kept of the last 128 paths only', async () => {
    const { names, asked } = counted();
    for (let i = 0; i <= 128; i += 1) await names.canonical(`/${i}`);
    await names.canonical('/128');
    expect(asked).toHaveLength(129);
    await names.canonical('/0');
    expect(asked).toHaveLength(130);
  });
});

describe('a projectId that cannot be resolved', () => {
  const tooLong = /at most 4096 bytes, got \d+ bytes/;
  it.each([
    ['/a'.repeat(2_049), tooLong],
    ['/a'.repeat(200_000), tooLong],
    ['x'.repeat(4_097), tooLong],
    ['é'.repeat(2_049), tooLong],
    ['/tmp/\0', /invalid characters/],
  ])('is refused by every method: %.20s', async (projectId, message) => {
    const { call } = makeMemory();
    const key = 'global.k';
    for (const [method, params] of Object.entries({
      add_note: { groupId: 'g', text: 'x' },
      search: { query: 'x' },
      list_recent: {},
      upsert_global: { key, value: 1 },
      get_global: { key },
      group_create: { groupKey: 'k', title: 't' },
      group_list: {},
    })) {
      const answer = call(method, { projectId, ...params });
      await expect(answer).rejects.toMatchObject({
        ...{ rpcCode: -32602, data: { path: 'projectId' } },
        message: expect.stringMatching(message),
      });
    }
  });

  it('may have 4,096 bytes', async () => {
    const { call } = makeMemory();
    const projectId = `/${'a/'.repeat(2_047)}a`;
    expect(projectId).toHaveLength(4_096);
    expect(await call('list_recent', { projectId })).toMatchObject({ items: [] });
  });
});
