import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryProgram } from './memory-program.ts';

/** What version 0.1 with schema 2 wrote: a store, a configuration and an export of the store. */
const FIXTURES = fileURLToPath(new URL('./fixtures/stored-0.1/', import.meta.url));
const URL_PROJECT = ['https://user:', 'pa55w0rd-x@git.example/a/b.git'].join('');
const folder = mkdtempSync(join(tmpdir(), 'tincan-earlier-'));
let homes = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function freshHome(): string {
  homes += 1;
  const home = join(folder, String(homes));
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
  return home;
}

function homeWithStore(): string {
  const home = freshHome();
  const store = gunzipSync(readFileSync(join(FIXTURES, 'memory.db.gz')));
  writeFileSync(join(home, 'data', 'memory.db'), store, { mode: 0o600 });
  return home;
}

const textsOf = (items: unknown): unknown[] =>
  (items as { text: string }[]).map(({ text }) => text);

const NOTES = [
  'Use spaces, not tabs.',
  'The answer to the question about the harbour is 43.',
  'Use tabs, not spaces.',
  'Invoices are sent on the first of the month.',
  'The lantern in the hall is green.',
  'We deploy with blue and green servers.',
];

describe('what version 0.1 stored', () => {
  it('is all there: notes, history, deleted notes, groups, values and vectors', async () => {
    await using program = new MemoryProgram(homeWithStore());
    const listed = await program.call('memory.list_recent', { projectId: '/p' });
    expect(textsOf(listed['items'])).toEqual(NOTES);
    const [, changed] = listed['items'] as { id: string }[];
    expect(changed).toMatchObject({
      ...{ title: 'Note 5', tags: ['deploy', 't5'], source: 'test', groupId: 'backend' },
      ...{ createdAt: '2025-01-06T10:00:00.000Z', metadata: { n: 5, conversationId: 'c1' } },
    });
    const { versions } = await program.call('memory.history', { id: changed?.id });
    expect(versions).toMatchObject([{ event: 'updated' }, { event: 'added' }]);
    const { groups } = await program.call('memory.group_list', { projectId: '/p' });
    expect(groups).toMatchObject([{ groupKey: 'backend', title: 'Backend' }]);
    const key = 'global.deploy.target';
    const value = await program.call('memory.get_global', { projectId: '/p', key });
    expect(value).toMatchObject({ value: { host: 'a', replicas: 3 } });
    const found = await program.call('memory.search', { projectId: '/p', query: 'billing date' });
    expect(textsOf(found['results'])).toContain('Invoices are sent on the first of the month.');
    expect(textsOf(found['results'])).not.toContain('Use tabs, not spaces.');
  });

  it('can be changed, and found under a URL that held a password', async () => {
    await using program = new MemoryProgram(homeWithStore());
    const text = 'The lantern in the hall is green.';
    const added = await program.call('memory.add_note', {
      ...{ projectId: '/p', groupId: 'backend', title: 'Note 1', text, source: 'test' },
      ...{ tags: ['deploy', 't1'], createdAt: '2025-01-02T10:00:00Z' },
      metadata: { n: 1, conversationId: 'c1' },
    });
    expect(added).toMatchObject({ duplicate: true });
    const before = await program.call('memory.list_recent', { projectId: URL_PROJECT });
    expect(textsOf(before['items'])).toEqual(['A note of a project by its URL.']);
    const note = { projectId: URL_PROJECT, groupId: 'g', text: 'Another one.' };
    const { canonicalProjectId } = await program.call('memory.add_note', note);
    expect(canonicalProjectId).not.toContain('pa55w0rd');
    for (const projectId of [URL_PROJECT, 'https://git.example/a/b.git']) {
      const { items } = await program.call('memory.list_recent', { projectId });
      expect(textsOf(items)).toHaveLength(2);
    }
  });

  it('is taken from its export, twice without a difference', async () => {
    const home = freshHome();
    for (const outcome of ['added', 'kept']) {
      const args = ['import', join(FIXTURES, 'export.ndjson')];
      await using program = new MemoryProgram(home, { args });
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(JSON.parse(program.stdout)).toMatchObject({
        [outcome]: { note: 7, group: 1, value: 1 },
      });
    }
    await using program = new MemoryProgram(home);
    const { items } = await program.call('memory.list_recent', { projectId: '/p' });
    expect(textsOf(items)).toEqual(NOTES);
  });

  it('is configured as before', async () => {
    const home = freshHome();
    copyFileSync(join(FIXTURES, 'config.json'), join(home, 'config.json'));
    await using program = new MemoryProgram(home);
    expect(await program.call('memory.get_config')).toMatchObject({
      embedder: {
        ...{ provider: 'ollama', model: 'nomic-embed-text', baseUrl: 'http://127.0.0.1:9' },
      },
    });
  });
});
