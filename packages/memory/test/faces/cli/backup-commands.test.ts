import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scratch } from './scratch-io.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

async function add(...words: string[]): Promise<string> {
  return (await scratch.json<{ id: string }>(['add', '-p', 'demo', ...words])).id;
}

const home = (): string => join(scratch.folder, 'home');

describe('backup and restore', () => {
  it('save everything and put it back, and say what and where', async () => {
    const id = await add('saved');
    await scratch.run(['delete', id]);
    const saved = await scratch.run(['backup', 'copy', '-f', 'text']);
    expect(saved).toMatchObject({ code: 0, err: '' });
    const file = join(scratch.folder, 'copy');
    expect(saved.out).toMatch(
      new RegExp(`^Saved 0 notes, 0 groups, 0 values, 2 versions \\(\\d+ bytes\\) in ${file}\n$`),
    );
    await scratch.run(['delete', '--hard', id]);
    const restored = await scratch.run(['restore', 'copy', '-f', 'text']);
    expect(restored.out).toMatch(
      /^Restored 0 notes, .+ from .+\nThe store that was there is kept as .+memory\.db\.replaced-.+\n$/,
    );
    expect(await scratch.json(['restore', id])).toMatchObject({ version: 3 });
    expect(await scratch.json(['get', id])).toMatchObject({ text: 'saved' });
  });

  it('answer scripts in JSON', async () => {
    await add('saved');
    const file = join(scratch.folder, 'copy');
    const counts = { notes: 1, groups: 0, values: 0, versions: 1, bytes: expect.any(Number) };
    expect(await scratch.json(['backup', 'copy'])).toEqual({ file, ...counts });
    expect(await scratch.json(['restore', 'copy'])).toEqual({
      ...{ file, store: join(home(), 'data', 'memory.db'), ...counts },
      kept: expect.stringContaining('memory.db.replaced-'),
    });
  });

  it('name a backup that is there, and replace it with --force', async () => {
    await add('saved');
    await scratch.run(['backup', 'copy']);
    const { code, err } = await scratch.run(['backup', 'copy']);
    expect(code).toBe(3);
    expect(err).toContain('--force');
    expect(await scratch.run(['backup', 'copy', '--force'])).toMatchObject({ code: 0 });
  });

  it.each([
    [['backup', 'copy'], 'there is no store at'],
    [['restore', 'copy'], '`copy` is neither the whole id of a note nor a file'],
  ])('%j says what is missing, and makes nothing', async (argv, message) => {
    const { code, out, err } = await scratch.run(argv);
    expect(code).toBe(3);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(readdirSync(scratch.folder)).toEqual([]);
  });

  it.each([
    [['backup', 'no/such/folder'], 'cannot write'],
    [['backup', '.'], 'found a folder'],
    [['restore', '.'], 'is not a file'],
    [['restore', 'junk'], 'is not a database'],
  ])('%j says what is wrong with the file', async (argv, message) => {
    await add('saved');
    writeFileSync(join(scratch.folder, 'junk'), 'junk '.repeat(500));
    const { code, err } = await scratch.run(argv);
    expect(code).toBe(3);
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });

  it.each([['backup'], ['restore']])('%s needs a store in a file', async (command) => {
    mkdirSync(home());
    writeFileSync(join(home(), 'config.json'), '{"store":{"type":"memory"}}');
    const { code, err } = await scratch.run([command, 'copy']);
    expect(code).toBe(3);
    expect(err).toContain('expected a store in a file');
  });
});
