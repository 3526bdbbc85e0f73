import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/logger.ts';
import { builtinPolicy } from '../../src/policy/builtin-policy.ts';
import { createSystemPolicy } from '../../src/policy/system-policy.ts';

function fakeFile(text: string) {
  const file = { text, stamp: '1', reads: 0, error: undefined as Error | undefined };
  return {
    file,
    files: {
      async readFile() {
        file.reads++;
        return file.text;
      },
      async stamp() {
        if (file.error) throw file.error;
        return file.stamp;
      },
    },
  };
}
const fromFile = { source: 'file', path: 'p.md', merge: 'replace' } as const;

describe('the system policy', () => {
  it.each([
    ['replace', 'Mine.'],
    ['prepend', `Mine.\n\n${builtinPolicy}`],
    ['append', `${builtinPolicy}\n\nMine.`],
  ] as const)('meets its file by `%s`', async (merge, expected) => {
    const { files } = fakeFile('Mine.\n');
    const policy = createSystemPolicy({ ...fromFile, merge }, { files, logger: silentLogger });
    expect((await policy.current()).text).toBe(expected);
  });

  it('reads its file once, and again only after a change', async () => {
    const { file, files } = fakeFile('One.');
    const policy = createSystemPolicy(fromFile, { files, logger: silentLogger });
    const first = await policy.current();
    await policy.current();
    expect(file.reads).toBe(1);
    Object.assign(file, { text: 'Two.', stamp: '2' });
    const second = await policy.current();
    expect(second.text).toBe('Two.');
    expect(second.hash).not.toBe(first.hash);
    expect(file.reads).toBe(2);
  });

  it('falls back to the built-in text, warns once, and recovers', async () => {
    const { file, files } = fakeFile('Mine.');
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
    const policy = createSystemPolicy(fromFile, { files, logger });
    file.error = new Error('no such file');
    expect((await policy.current()).text).toBe(builtinPolicy);
    expect((await policy.current()).text).toBe(builtinPolicy);
    expect(warnings).toEqual([expect.stringContaining('no such file')]);
    file.error = undefined;
    expect((await policy.current()).text).toBe('Mine.');
  });

  it('touches no file when the source is `builtin`', async () => {
    const { file, files } = fakeFile('Mine.');
    const system = { ...fromFile, source: 'builtin' } as const;
    const policy = createSystemPolicy(system, { files, logger: silentLogger });
    expect((await policy.current()).text).toBe(builtinPolicy);
    expect(file.reads).toBe(0);
  });
});
