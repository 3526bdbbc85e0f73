import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { spell } from '../../src/help/help-text.ts';
import { manualPage } from '../../src/help/manual-page.ts';
import { verbs } from '../../src/verbs/index.ts';

const page = manualPage(verbs, '1.2.3');
const isThere = (program: string): boolean => spawnSync(program, ['-h']).error === undefined;

describe('the manual page', () => {
  it('is of this version', () => {
    expect(page.split('\n')[0]).toBe('.TH TINCAN 1 "" "tincan 1.2.3" "User commands"');
  });

  it.each(verbs)(
    'explains $name with all its options and examples',
    ({ name, options, examples }) => {
      const [, part = ''] = page.split(`.SS tincan ${name}\n`);
      const [own = ''] = part.split(/^\.S[SH] /m);
      const words = own.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\');
      for (const [option, definition] of Object.entries(options)) {
        expect(words).toContain(spell(option, definition));
      }
      for (const { command } of examples) expect(words).toContain(command);
    },
  );

  it('has no line that a text made a request', () => {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    expect(new Set(requests.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['.TH', '.SH', '.SS', '.TP', '.PP', '.nf', '.fi']),
    );
  });

  it.runIf(isThere('mandoc'))('is well formed to mandoc', () => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error'], {
      input: page,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
