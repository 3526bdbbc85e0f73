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

describe('export --history', () => {
  it('is imported without loss into another memory', async () => {
    const [kept, deleted, erased] = [await add('kept'), await add('deleted'), await add('erased')];
    await scratch.run(['delete', kept, deleted]);
    await scratch.run(['restore', kept]);
    await scratch.run(['delete', '--hard', erased]);
    const { out } = await scratch.run(['export', '--history']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['erased', 'note', 'deleted']);
    const other = new Scratch();
    try {
      const { code, out: summary } = await other.run(['import', '-f', 'text'], { input: out });
      expect(code).toBe(0);
      expect(summary.split('\n')[0]).toBe(
        'Added          1 note, 0 groups, 0 values, 1 deleted note, 1 tombstone',
      );
      expect((await other.run(['export', '--history'])).out).toBe(out);
      for (const id of [kept, deleted]) {
        expect(await other.json(['history', id])).toEqual(await scratch.json(['history', id]));
      }
    } finally {
      other.remove();
    }
  });
});

describe('import', () => {
  it('reports refused lines in the order of the file', async () => {
    const input = ['{"kind":"note"}', '{"kind":"nope"}', '{"kind":"note"', '{'].join('\n');
    const { code, err } = await scratch.run(['import'], { input });
    expect(code).toBe(1);
    expect(err.match(/^stdin:\d/gm)).toEqual(['stdin:1', 'stdin:2', 'stdin:3', 'stdin:4']);
  });

  it('says what a dry run would do', async () => {
    await add('one');
    const { out: input } = await scratch.run(['export']);
    const other = new Scratch();
    try {
      const { out } = await other.run(['import', '--dry-run', '-f', 'text'], { input });
      expect(out).toMatch(/^Would add {6}1 note, 0 groups, 0 values\nWould update {3}0 notes,/);
    } finally {
      other.remove();
    }
  });
});

describe('import of what was erased', () => {
  it('leaves it out and names it, and takes it with --include-erased', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const { out: input } = await scratch.run(['export']);
    await scratch.run(['delete', '--hard', one, two]);
    const summary = await scratch.run(['import'], { input });
    expect(summary.code).toBe(0);
    expect(JSON.parse(summary.out)).toMatchObject({ added: { note: 0 }, erased: [one, two] });
    const { out } = await scratch.run(['import', '-f', 'text'], { input });
    expect(out).toContain(
      `Erased here    2 left out; \`--include-erased\` takes them:\n  ${one}\n  ${two}\n`,
    );
    const taken = await scratch.run(['import', '--include-erased'], { input });
    expect(JSON.parse(taken.out)).toMatchObject({ added: { note: 2 }, erased: [] });
    expect((await scratch.run(['export'])).out).toBe(input);
  });

  it('names no more than twenty ids in text, and all of them in JSON', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 22; i += 1) ids.push(await add(`note ${i}`));
    const { out: input } = await scratch.run(['export']);
    await scratch.run(['delete', '--hard', ...ids]);
    const { out } = await scratch.run(['import', '-f', 'text'], { input });
    expect(out).toContain('\n  and 2 more\n');
    const summary = await scratch.run(['import'], { input });
    expect(JSON.parse(summary.out)).toMatchObject({ erased: ids });
  });
});
