import { COMMON_OPTIONS, type Command, type OptionDefinition } from './command.ts';
import { widthOf } from './render/graphemes.ts';
import type { Paint } from './render/paint.ts';

const MAX_WIDTH = 100;

/** Everything about one command. */
export function helpOf(command: Command, { bold, cyan, dim }: Paint, columns: number): string {
  const width = Math.min(columns, MAX_WIDTH);
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const spelt = options.map(([name, option]) => spell(name, option));
  const left = Math.max(...spelt.map(widthOf));
  return [
    `${bold(`tincan-memory ${command.name}`)}: ${command.summary}`,
    '',
    `${bold('Usage')}  tincan-memory ${command.name} ${command.usage}`,
    ...command.description.flatMap((paragraph) => ['', ...wrap(paragraph, width)]),
    '',
    bold('Options'),
    ...options.flatMap(([, option], index) =>
      wrap(describe(option), Math.max(20, width - left - 4)).map((line, row) => {
        const label = (row === 0 ? (spelt[index] ?? '') : '').padEnd(left);
        return `  ${cyan(label)}  ${line}`;
      }),
    ),
    '',
    bold('Examples'),
    ...command.examples.flatMap(({ command: line, does }) => [dim(`  # ${does}`), `  ${line}`]),
  ].join('\n');
}

/** The list of commands. */
export function overview(commands: readonly Command[], { bold, cyan, dim }: Paint): string {
  const left = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${bold('tincan-memory')}: local-first memory for agents, and for people`,
    '',
    `${bold('Usage')}  tincan-memory <command> [options]`,
    '',
    ...commands.map(({ name, summary }) => `  ${cyan(name.padEnd(left))}  ${summary}`),
    '',
    'Exit codes: 0 done, 1 not found or refused, 2 mistake in the command line,',
    '3 configuration, store or embedder cannot be used.',
    '',
    dim('`tincan-memory <command> --help` explains a command, with examples.'),
  ].join('\n');
}

function spell(name: string, { type, short, value }: OptionDefinition): string {
  const letter = short === undefined ? '    ' : `-${short}, `;
  return `${letter}--${name}${type === 'flag' ? '' : ` <${value ?? type}>`}`;
}

function describe({ description, default: preset }: OptionDefinition): string {
  return preset === undefined ? description : `${description} [${preset}]`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
