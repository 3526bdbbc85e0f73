import { describe, expect, it } from 'vitest';
import { checkSecrets } from '../../src/faces/cli/doctor/secrets.ts';
import { makeMemory, makeSettings, type TestMemory } from './fake-memory.ts';

const PASSWORD = ['hunt', 'er2x9'].join('');
const DIRTY = `https://me:${PASSWORD}@git.example.org/team/app.git`;
const CLEAN = 'https://git.example.org/team/app.git';
const note = { groupId: 'g', text: 'a plain note' };

/** A memory with a row as an older version stored it. */
async function withOldRow(): Promise<{ test: TestMemory; id: string }> {
  const old = makeMemory({ settings: makeSettings({ secrets: 'allow' }) });
  const { id } = await old.call<{ id: string }>('add_note', { projectId: DIRTY, ...note });
  return { test: makeMemory({ store: old.store }), id };
}

const listed = async (test: TestMemory, projectId: string): Promise<string[]> =>
  (await test.call<{ items: { id: string }[] }>('list_recent', { projectId })).items.map(
    ({ id }) => id,
  );

describe('a URL with a password as projectId', () => {
  it('loses its user part, and both ids find the project', async () => {
    const test = makeMemory();
    const added = await test.call<{ id: string }>('add_note', { projectId: DIRTY, ...note });
    expect(added).toMatchObject({ canonicalProjectId: CLEAN });
    expect(await listed(test, DIRTY)).toEqual([added.id]);
    expect(await listed(test, CLEAN)).toEqual([added.id]);
  });

  it.each([`https://ghp_${'a1B2'.repeat(9)}@git.example.org/x`, 'https://me:@git.example.org/x'])(
    'of the form %s too',
    async (projectId) => {
      expect(await makeMemory().call('add_note', { projectId, ...note })).toMatchObject({
        canonicalProjectId: 'https://git.example.org/x',
      });
    },
  );

  it.each(['ssh://git@git.example.org/x', 'git@git.example.org:x', 'https://git.example.org/@me'])(
    'leaves %s as it is',
    async (projectId) => {
      expect(await makeMemory().call('add_note', { projectId, ...note })).toMatchObject({
        canonicalProjectId: projectId,
      });
    },
  );

  it('is refused where the rest holds a secret', async () => {
    const projectId = `https://me:${PASSWORD}@host/x?token=a1B2c3D4e5F6g7H8`;
    await expect(makeMemory().call('add_note', { projectId, ...note })).rejects.toMatchObject({
      rpcCode: -32602,
      data: { path: 'projectId' },
    });
  });

  it('finds rows that an older version stored under it, before and after the next write', async () => {
    const { test, id } = await withOldRow();
    expect(await listed(test, DIRTY)).toEqual([id]);
    const added = await test.call<{ id: string }>('add_note', {
      ...{ projectId: DIRTY, groupId: 'g', text: 'another' },
    });
    expect((await listed(test, DIRTY)).sort()).toEqual([id, added.id].sort());
    expect((await listed(test, CLEAN)).sort()).toEqual([id, added.id].sort());
    expect(await test.memory.listProjects()).toEqual([CLEAN]);
  });

  it('keeps old rows apart from a project that has the clean name already', async () => {
    const { test, id } = await withOldRow();
    const clean = await test.call<{ id: string }>('add_note', { projectId: CLEAN, ...note });
    const added = await test.call<{ id: string }>('add_note', {
      ...{ projectId: DIRTY, groupId: 'g', text: 'another' },
    });
    expect((await listed(test, DIRTY)).sort()).toEqual([id, added.id].sort());
    expect(await listed(test, CLEAN)).toEqual([clean.id]);
    expect(JSON.stringify(await test.memory.listProjects())).not.toContain(PASSWORD);
  });
});

describe('rows that hold secrets from before', () => {
  it('can still be read and changed, and doctor lists ids and kinds only', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const old = makeMemory({ settings: makeSettings({ secrets: 'allow' }) });
    const held = { projectId: 'p', groupId: secret, text: `push with ${secret}`, tags: [secret] };
    const { id } = await old.call<{ id: string }>('add_note', held);
    const value = await old.call<{ id: string }>('upsert_global', {
      ...{ projectId: 'p', key: 'global.db.password', value: PASSWORD },
    });
    const group = await old.call<{ id: string }>('group_create', {
      ...{ projectId: DIRTY, groupKey: secret, title: 'x' },
    });
    const test = makeMemory({ store: old.store });
    const found = await test.call<{ items: object[] }>('list_recent', {
      ...{ projectId: 'p', groupId: secret, tags: [secret] },
    });
    expect(found.items).toHaveLength(1);
    await test.call('update', { id, patch: { title: 'changed' } });
    const check = await checkSecrets(test.store);
    expect(check).toMatchObject({ name: 'secrets', status: 'warn' });
    expect(check.message).toContain(`note ${id} (github-token)`);
    expect(check.message).toContain(`version ${id} (github-token)`);
    expect(check.message).toContain(`value ${value.id} (named-secret)`);
    expect(check.message).toContain(`group ${group.id} (github-token)`);
    expect(check.message).toMatch(/project \d+ \(url-password\)/);
    expect(JSON.stringify(check)).not.toContain(secret);
    expect(JSON.stringify(check)).not.toContain(PASSWORD);
  });

  it('are none in a store that was written with the screen', async () => {
    const test = makeMemory();
    await test.call('add_note', { projectId: 'p', ...note, metadata: { password: PASSWORD } });
    expect(await checkSecrets(test.store)).toMatchObject({ status: 'ok' });
  });
});
