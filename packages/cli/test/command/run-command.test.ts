import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/command/run-command.ts';
import { verbs } from '../../src/verbs/index.ts';
import { memoryIo } from '../memory-io.ts';

describe('tincan', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('lists its verbs for %j', async (argv) => {
    const io = memoryIo();
    expect(await runCommand(argv, io)).toBe(0);
    const text = io.out();
    for (const { name, summary } of verbs)
      expect(text).toMatch(new RegExp(`${name} +${summary.slice(0, 12)}`));
  });

  it.each(verbs.filter(({ isDelegate }) => !isDelegate).map(({ name }) => [name]))(
    'explains %s with usage, options and examples',
    async (name) => {
      const direct = memoryIo();
      expect(await runCommand([name, '--help'], direct)).toBe(0);
      const text = direct.out();
      const verb = verbs.find((one) => one.name === name);
      expect(text).toContain(verb?.summary);
      for (const option of Object.keys(verb?.options ?? {})) expect(text).toContain(`--${option}`);
      for (const { command } of verb?.examples ?? []) expect(text).toContain(command);
      const viaHelp = memoryIo();
      await runCommand(['help', name], viaHelp);
      expect(viaHelp.out()).toBe(text);
    },
  );

  it('prints its version', async () => {
    const io = memoryIo();
    expect(await runCommand(['--version'], io)).toBe(0);
    expect(io.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['chek'], 'unknown verb `chek`; did you mean `check`?'],
    [['help', 'chek'], 'did you mean `check`?'],
    [['--verbose'], 'unknown option `--verbose`'],
    [['call', '--tool', 'x'], 'expected either `-- <server command>` or `--url <url>`'],
    [['call', '--', 'node'], 'expected one of `--tool`, `--method` and `--list`'],
    [['call', 'echo', 'a=b', '--', 'node'], 'did you mean `--tool echo`?'],
    [['call', '--list', '--header', 'a: b', '--', 'node'], '`--header` goes with `--url`'],
    [['call', '--raw', '--tool', 'x', '--', 'node'], '`--raw` goes with `--method` only'],
    [['call', '--list', '--url', 'ftp://x'], 'http or https'],
    [['tap'], 'expected `-- <server command>`'],
    [['bridge', '--port', '1'], 'expected `-- <server command>` or `--url <url>`'],
    [['bridge', '--', 'node'], 'expected `--port <number>`'],
    [
      ['bridge', '--port', '1', '--host', '0.0.0.0', '--no-token', '--', 'node'],
      '`--no-token` is for loopback only',
    ],
    [
      ['bridge', '--port', '1', '--token', 'x', '--', 'node'],
      'expected the token in `TINCAN_TOKEN`',
    ],
    [
      ['config', 'cursor', '--url', 'http://x/', '--', 'node'],
      'either a server command or `--url`',
    ],
    [['config', 'cursor', '--url', 'ftp://x/'], 'http or https'],
    [
      ['config', 'cursor', '--url', 'http://x/', '--scope', 'project', '--token-file', 'x'],
      'a project file is shared',
    ],
    [['bridge', '--url', 'x', '--port', '1'], 'no port and no server command'],
    [['bridge', '--port', '99999', '--', 'node'], 'expected `--port` to be at most 65535'],
    [['config', 'cursr'], 'unknown client `cursr`; did you mean `cursor`?'],
    [['config', 'emacs'], 'unknown client `emacs`; expected claude-code'],
    [['completion'], 'expected a shell: `bash`, `zsh` or `fish`'],
    [['completion', 'tcsh'], 'expected a shell: `bash`, `zsh` or `fish`, got `tcsh`'],
    [['--versoin'], 'unknown option `--versoin`; did you mean `--version`?'],
    [['replay'], 'expected one recording'],
  ])(
    'takes %j for a mistake: exit code 2, one line and a hint, no stack',
    async (argv, message) => {
      const io = memoryIo();
      expect(await runCommand(argv, io)).toBe(2);
      const [first, hint, ...more] = io.err().trimEnd().split('\n');
      expect(first).toContain(message);
      expect(hint).toMatch(/^try `tincan .*--help`$/);
      expect(more).toEqual([]);
    },
  );

  it('tells of a file that is not there in one line, with exit code 3', async () => {
    const io = memoryIo();
    expect(await runCommand(['show', '/no/such/recording.ndjson'], io)).toBe(3);
    expect(io.err().trimEnd().split('\n')).toHaveLength(1);
  });

  it('says how to get a package that is not installed', async () => {
    const { delegateTo } = await import('../../src/command/delegate.ts');
    const clone = resolve(import.meta.dirname, '../../../..');
    await expect(delegateTo('tincan-no-such-package', [])).rejects.toThrow(
      `run \`npm run build --prefix ${clone}\` first`,
    );
  });

  it('uses colours in a terminal alone, and not where NO_COLOR is set', async () => {
    const escapes = async (parts: Parameters<typeof memoryIo>[0]): Promise<boolean> => {
      const io = memoryIo(parts);
      await runCommand(['--help'], io);
      return io.out().includes('\u001B[');
    };
    expect(await escapes({ isTerminal: true })).toBe(true);
    expect(await escapes({ isTerminal: false })).toBe(false);
    expect(await escapes({ isTerminal: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await escapes({ isTerminal: true, env: { TERM: 'dumb' } })).toBe(false);
  });
});
