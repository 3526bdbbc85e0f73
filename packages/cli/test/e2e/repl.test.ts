import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OFFICIAL, OURS, PROGRAM, scratchFolder, shellLine, tincan } from './run-tincan.ts';
import { openTerminal } from './terminal.ts';

const folder = scratchFolder();

describe('tincan repl with a pipe', () => {
  it('runs each line and prints results without a prompt', async () => {
    const input = '# a comment\n\nget-sum a=2 b=3\necho message="hi there"\nping\n';
    const { code, stdout, stderr } = await tincan(['repl', '--', ...OFFICIAL('everything')], {
      input,
    });
    expect(stdout).toBe('The sum of 2 and 3 is 5.\nEcho: hi there\n{}\n');
    expect(stderr.match(/^\d+\.\d+ ms$/gm)).toHaveLength(3);
    expect(code).toBe(0);
  });

  it('goes on after a line that failed, and ends with exit code 1', async () => {
    const input = 'no/such\ntest_simple_text\nbad "quote\nexit\ntest_simple_text\n';
    const { code, stdout, stderr } = await tincan(['repl', '--', ...OURS], { input });
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('error -32601');
    expect(stderr).toContain('expected a closing "');
    expect(code).toBe(1);
  });

  it('knows its own commands', async () => {
    const { stdout } = await tincan(['repl', '--', ...OURS], {
      input: 'help\ninfo\ntools\nresources\nprompts\n',
    });
    for (const word of [
      'call a tool',
      '"era"',
      'test_simple_text',
      'test://static-text',
      'test_simple_prompt',
    ]) {
      expect(stdout).toContain(word);
    }
  });
});

describe('tincan repl in a terminal', () => {
  it('completes tools and arguments, shows timing, and keeps a history', async () => {
    const history = join(folder, 'deep', 'history');
    const line = shellLine([
      process.execPath,
      PROGRAM,
      'repl',
      '--history',
      history,
      '--',
      ...OFFICIAL('everything'),
    ]);
    await using terminal = openTerminal(line);
    await terminal.seen('Tab completes');
    await terminal.seen('> ');
    terminal.type('get-su\t');
    await terminal.seen('get-sum');
    terminal.type('a=2 b=40\r');
    await terminal.seen('The sum of 2 and 40 is 42.');
    await terminal.seen(' ms');
    terminal.type('get-sun\r');
    await terminal.seen('did you mean `get-sum`?');
    terminal.type('trigger-long-running-operation duration=60 steps=60\r');
    await terminal.seen('progress │ 1/60');
    terminal.type('\u0003');
    await terminal.seen('the request was cancelled');
    terminal.type('half a line\u0003echo message=whole\r');
    await terminal.seen('Echo: whole');
    terminal.type('exit\r');
    await terminal.ended;
    expect(readFileSync(history, 'utf8')).toContain('get-sum a=2 b=40');
  });
});
