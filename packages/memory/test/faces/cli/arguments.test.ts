import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/faces/cli/arguments.ts';
import type { Command } from '../../../src/faces/cli/command.ts';

const command: Command = {
  name: 'try',
  summary: '',
  usage: '',
  description: [],
  options: {
    project: { type: 'text', short: 'p', description: '' },
    count: { type: 'number', short: 'k', default: 5, description: '' },
    tags: { type: 'list', description: '' },
    format: { type: 'text', choices: ['text', 'json'], description: '' },
    loud: { type: 'flag', description: '' },
  },
  examples: [],
  words: 'any',
  load: async () => async () => 0,
};

describe('parseArguments', () => {
  it('takes options before, between and after the words', () => {
    const args = parseArguments(command, ['-p', '/x', 'one', '--loud', 'two', '-k3']);
    expect(args.words).toEqual(['one', 'two']);
    expect(args.text('project')).toBe('/x');
    expect(args.flag('loud')).toBe(true);
    expect(args.number('count')).toBe(3);
  });

  it('takes everything behind `--` for words', () => {
    const args = parseArguments(command, ['--', '-p', '--loud']);
    expect(args.words).toEqual(['-p', '--loud']);
    expect(args.flag('loud')).toBe(false);
  });

  it('falls back to defaults and tells absent options apart', () => {
    const args = parseArguments(command, []);
    expect(args.number('count')).toBe(5);
    expect(args.text('project')).toBeUndefined();
    expect(args.list('tags')).toBeUndefined();
  });

  it('gathers a list from commas and repeats', () => {
    const args = parseArguments(command, ['--tags', 'a, b', '--tags=c', '--tags', ',']);
    expect(args.list('tags')).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [['--bogus'], 'unknown option `--bogus`'],
    [['--constructor', 'x'], 'unknown option `--constructor`'],
    [['-z'], 'unknown option `-z`'],
    [['--project'], 'expected a value after `--project`'],
    [['--loud=yes'], '`--loud` takes no value'],
    [['-k', 'many'], 'expected `-k` to be a whole number, got `many`'],
    [['--count=-1'], 'to be a whole number'],
    [['--count', '1.5'], 'to be a whole number'],
    [['--count', '1e3'], 'to be a whole number'],
    [['--format', 'xml'], 'expected `--format` to be `text` or `json`, got `xml`'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(command, argv)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) }),
    );
  });

  it('refuses words where a command takes none, unless help is asked for', () => {
    const wordless = { ...command, words: 'none' } as const;
    expect(() => parseArguments(wordless, ['one'])).toThrow(
      `\`${command.name}\` takes options only, got \`one\`; \`tincan-memory ${command.name} --help\``,
    );
    expect(parseArguments(wordless, ['one', '--help']).flag('help')).toBe(true);
  });
});
