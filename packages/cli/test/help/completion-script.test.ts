import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionScript } from '../../src/help/completion-script.ts';
import { referencePage } from '../../src/help/reference-page.ts';
import { SHELLS } from '../../src/verbs/completion.ts';
import { verbs } from '../../src/verbs/index.ts';

/** What bash offers for a line. */
function bashOffers(line: string): string[] {
  const words = line.split(' ');
  const script = `${completionScript('bash', verbs)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_tincan
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('the bash completion', () => {
  it.each([
    [
      'tincan ',
      [
        'call',
        'repl',
        'tap',
        'show',
        'replay',
        'bridge',
        'check',
        'config',
        'memory',
        'answer',
        'completion',
        'help',
        '--help',
        '--version',
      ],
    ],
    ['tincan re', ['repl', 'replay']],
    ['tincan call --er', ['--era']],
    ['tincan call --era ', ['auto', 'legacy', 'modern']],
    ['tincan call --tool x --framing h', ['header']],
    ['tincan config cu', ['cursor']],
    ['tincan completion ', ['bash', 'zsh', 'fish']],
    ['tincan help che', ['check']],
  ])('offers for "%s" %j', (line, words) => {
    expect(bashOffers(line)).toEqual(words);
  });

  it('offers programs behind --', () => {
    expect(bashOffers('tincan call --list -- bas')).toContain('bash');
  });
});

describe('completion scripts', () => {
  it.each(SHELLS)('of %s know every verb and option', (shell) => {
    const script = completionScript(shell, verbs) ?? '';
    for (const { name, options } of verbs) {
      expect(script).toContain(name);
      for (const option of Object.keys(options)) expect(script).toContain(option);
    }
  });

  it.each(SHELLS)('of %s are understood by the shell, where it is installed', (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'tincan-completion-'));
    const file = join(folder, 'script');
    writeFileSync(file, completionScript(shell, verbs) ?? '');
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    if (error === undefined) expect([status, stderr]).toEqual([0, '']);
  });

  it('do not exist for other shells', () => {
    expect(completionScript('tcsh', verbs)).toBeUndefined();
  });
});

it('the reference page is what the definitions say; `tincan help --markdown > docs/cli.md` writes it', () => {
  const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  expect(page).toBe(referencePage(verbs));
});
