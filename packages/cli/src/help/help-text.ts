import type { Io } from '../command/io.ts';
import type { OptionDefinition, Verb } from '../command/verb.ts';
import { pad, widthOf, wrap } from '../format/text.ts';

type Surroundings = Pick<Io, 'paint' | 'width'>;

/** Exit codes and what they mean. */
export const EXIT_CODES: readonly (readonly [code: number, means: string])[] = [
  [0, 'success'],
  [1, 'the server answered with an error; something differs or fails a check'],
  [2, 'a mistake in the command line'],
  [3, 'something could not be started, read or written, or failed on the way'],
];

/** Everything about one verb. */
export function helpOf(verb: Verb, { paint, width }: Surroundings): string {
  const { bold, cyan, dim } = paint;
  const columns = Math.min(width, 100);
  const lines = [`${bold(`tincan ${verb.name}`)} – ${verb.summary}`, '', bold('Usage')];
  for (const usage of verb.usage) lines.push(`  tincan ${verb.name} ${usage}`);
  for (const paragraph of verb.description) {
    lines.push('', ...wrap(paragraph, columns));
  }
  const options = Object.entries(verb.options);
  if (options.length > 0) lines.push('', bold('Options'));
  const spelt = options.map(([name, option]) => spell(name, option));
  const first = Math.min(30, Math.max(...spelt.map(widthOf), 0));
  options.forEach(([, option], index) => {
    const left = spelt[index] ?? '';
    const text = wrap(describe(option), Math.max(20, columns - first - 4));
    const isLong = widthOf(left) > first;
    if (isLong) lines.push(`  ${cyan(left)}`);
    text.forEach((line, row) => {
      const label = row === 0 && !isLong ? left : '';
      lines.push(`  ${cyan(pad(label, first))}  ${line}`);
    });
  });
  lines.push('', bold('Examples'));
  for (const { command, does } of verb.examples) lines.push(dim(`  # ${does}`), `  ${command}`);
  return lines.join('\n');
}

/** The list of verbs. */
export function overview(verbs: readonly Verb[], { paint }: Surroundings): string {
  const { bold, cyan, dim } = paint;
  const first = Math.max(...verbs.map(({ name }) => name.length));
  return [
    `${bold('tincan')} – see, call, record, replay, bridge and check any stdio JSON-RPC or MCP server`,
    '',
    bold('Usage'),
    '  tincan <verb> [options] [-- <server command>]',
    '',
    bold('Verbs'),
    ...verbs.map(({ name, summary }) => `  ${cyan(pad(name, first))}  ${summary}`),
    '',
    dim(
      '`tincan <verb> --help` explains a verb, with examples. `tincan --version` prints the version.',
    ),
  ].join('\n');
}

/** An option as it is typed. */
export function spell(name: string, { type, short, value }: OptionDefinition): string {
  const letter = short === undefined ? '' : `-${short}, `;
  return `${letter}--${name}${type === 'flag' ? '' : ` <${value ?? type}>`}`;
}

/** What an option does, with its values and default. */
export function describe({ description, choices, default: fallback }: OptionDefinition): string {
  const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return `${description}${values}${fallback === undefined ? '' : ` [${fallback}]`}`;
}
