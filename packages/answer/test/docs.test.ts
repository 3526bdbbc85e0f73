import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { settings } from '../src/config/settings.ts';

const page = await readFile(new URL('../../../docs/answer.md', import.meta.url), 'utf8');

describe('the reference page', () => {
  it.each(settings.map((setting) => [setting.path, setting] as const))(
    'describes `%s` as it is',
    (path, { fallback, expects, flag, variable }) => {
      const row = page.split('\n').findLast((line) => line.startsWith(`| \`${path}\` |`));
      expect(row).toContain(`| \`${JSON.stringify(fallback)}\` |`);
      expect(row).toContain(`| ${expects.phrase} |`);
      for (const name of [flag, variable])
        if (name !== undefined) expect(row).toContain(`\`${name}\``);
    },
  );

  it('names every kind of error', async () => {
    const source = await readFile(new URL('../src/answer-error.ts', import.meta.url), 'utf8');
    const start = source.indexOf('AnswerErrorKind =');
    const union = source.slice(start, source.indexOf(';', start));
    const kinds = [...union.matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
    expect(kinds.length).toBeGreaterThan(15);
    for (const kind of kinds) expect(page).toContain(`\`${kind}\``);
  });
});
