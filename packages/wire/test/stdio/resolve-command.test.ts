import { describe, expect, it } from 'vitest';
import { resolveCommand } from '../../src/stdio/resolve-command.ts';

function windows(
  command: string,
  {
    args = [],
    files = [],
    env = {},
  }: { args?: string[]; files?: string[]; env?: Record<string, string> } = {},
): ReturnType<typeof resolveCommand> {
  return resolveCommand(command, args, {
    env: { Path: 'C:\\bin;C:\\Program Files\\nodejs', ...env },
    platform: 'win32',
    exists: (path) => files.includes(path),
  });
}

describe('resolveCommand', () => {
  it('leaves a command as it is on POSIX', () => {
    const args = ['a b', '$HOME', '"'];
    expect(resolveCommand('npx', args, { env: {}, platform: 'linux' })).toEqual({
      file: 'npx',
      args,
      isVerbatim: false,
    });
  });

  describe('on Windows', () => {
    it.each<[string, string, string[], string]>([
      ['an .exe on the path', 'node', ['C:\\bin\\node.EXE'], 'C:\\bin\\node.EXE'],
      [
        'the first folder of two',
        'x',
        ['C:\\bin\\x.EXE', 'C:\\Program Files\\nodejs\\x.EXE'],
        'C:\\bin\\x.EXE',
      ],
      ['PATHEXT in its order', 'x', ['C:\\bin\\x.CMD', 'C:\\bin\\x.EXE'], 'C:\\bin\\x.EXE'],
      ['a name with its extension', 'node.exe', ['C:\\bin\\node.exe'], 'C:\\bin\\node.exe'],
      ['a path', 'D:\\tools\\run', ['D:\\tools\\run.EXE'], 'D:\\tools\\run.EXE'],
      ['a path with forward slashes', 'D:/tools/run', ['D:/tools/run.EXE'], 'D:/tools/run.EXE'],
      ['a dot in the name', 'python3.11', ['C:\\bin\\python3.11.EXE'], 'C:\\bin\\python3.11.EXE'],
      ['what cannot be found, for the system to say so', 'nothing', [], 'nothing'],
    ])('finds %s', (_, command, files, file) => {
      expect(windows(command, { files })).toEqual({ file, args: [], isVerbatim: false });
    });

    it('uses the extensions of PATHEXT when it is set', () => {
      const files = ['C:\\bin\\x.EXE', 'C:\\bin\\x.PY'];
      expect(windows('x', { files, env: { pathext: '.PY' } }).file).toBe('C:\\bin\\x.PY');
    });

    it('does not look into the current folder for a bare name', () => {
      expect(windows('x', { files: ['x.EXE'] }).file).toBe('x');
    });

    it('runs a batch file through the command interpreter, escaped for both readings', () => {
      const files = ['C:\\Program Files\\nodejs\\npx.CMD'];
      const env = { COMSPEC: 'C:\\Windows\\system32\\cmd.exe' };
      expect(windows('npx', { args: ['-y', 'a b'], files, env })).toEqual({
        file: 'C:\\Windows\\system32\\cmd.exe',
        args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"-y^^^" ^^^"a^^^ b^^^""'],
        isVerbatim: true,
      });
    });

    it.each<[string, string]>([
      ['a&b', '^^^"a^^^&b^^^"'],
      ['%PATH%', '^^^"^^^%PATH^^^%^^^"'],
      ['say "hi"', '^^^"say^^^ \\^^^"hi\\^^^"^^^"'],
      ['ends with \\', '^^^"ends^^^ with^^^ \\\\^^^"'],
      ['', '^^^"^^^"'],
    ])('keeps the argument %j from being acted on', (arg, escaped) => {
      const { args } = windows('x', { args: [arg], files: ['C:\\bin\\x.CMD'] });
      expect(args.at(-1)).toBe(`"C:\\bin\\x.CMD ${escaped}"`);
    });

    it('falls back to cmd.exe without COMSPEC', () => {
      expect(windows('x', { files: ['C:\\bin\\x.BAT'] }).file).toBe('cmd.exe');
    });
  });
});
