import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/command/arguments.ts';
import type { Verb } from '../../src/command/verb.ts';

const verb: Verb = {
  name: 'try',
  summary: 'try',
  usage: [],
  description: [],
  options: {
    loud: { type: 'flag', short: 'l', description: '' },
    name: { type: 'text', description: '' },
    port: { type: 'number', default: 80, description: '' },
    header: { type: 'list', description: '' },
    era: { type: 'text', choices: ['old', 'new'], default: 'new', description: '' },
  },
  examples: [],
  server: 'optional',
  load: async () => async () => 0,
};

describe('arguments of a verb', () => {
  it('are read in any order, with what stands behind -- left alone', () => {
    const args = parseArguments(verb, [
      'one',
      '-l',
      '--name',
      'x',
      'two',
      '--header=a',
      '--header',
      'b',
      '--port',
      '8080',
      '--',
      'node',
      '--loud',
      '--',
      'x',
    ]);
    expect(args.positionals).toEqual(['one', 'two']);
    expect(args.server).toEqual(['node', '--loud', '--', 'x']);
    expect(args.flag('loud')).toBe(true);
    expect(args.text('name')).toBe('x');
    expect(args.number('port')).toBe(8080);
    expect(args.list('header')).toEqual(['a', 'b']);
    expect(args.text('era')).toBe('new');
  });

  it('have defaults', () => {
    const args = parseArguments(verb, []);
    expect(args.number('port')).toBe(80);
    expect(args.flag('loud')).toBe(false);
    expect(args.list('header')).toEqual([]);
    expect(args.has('name')).toBe(false);
  });

  it.each([
    [['--lou'], 'did you mean `--loud`?'],
    [['--nothing-like-it'], '`tincan try --help` lists the options'],
    [['--port', 'many'], 'expected `--port` to be a whole number, got `many`'],
    [['--port', '-1'], 'expected `--port` to be a whole number, got `-1`'],
    [['--port', '1.5'], 'expected `--port` to be a whole number, got `1.5`'],
    [['--name'], 'expected a value after `--name`'],
    [['--loud=yes'], '`--loud` takes no value, got `yes`'],
    [['--era', 'middle'], 'expected `--era` to be one of `old`, `new`, got `middle`'],
    [['--constructor'], 'unknown option `--constructor`'],
  ])('refuse %j', (argv, message) => {
    expect(() => parseArguments(verb, argv)).toThrow(message);
  });

  it('want a server command where one is needed, and none where none is', () => {
    expect(() => parseArguments({ ...verb, server: 'required' }, [])).toThrow(
      '-- <server command>',
    );
    expect(() => parseArguments({ ...verb, server: 'none' }, ['--', 'node'])).toThrow(
      'takes no server',
    );
  });

  it('are handed over unread to a delegate', () => {
    const args = parseArguments({ ...verb, isDelegate: true }, ['--port', 'x', '--', '--help']);
    expect(args.positionals).toEqual(['--port', 'x', '--', '--help']);
  });
});
