import type { Verb } from '../command/verb.ts';
import { describe, EXIT_CODES, spell } from './help-text.ts';

/** The reference as a page for `man`, from the definitions alone. */
export function manualPage(verbs: readonly Verb[], version: string): string {
  return [
    `.TH TINCAN 1 "" "tincan ${text(version)}" "User commands"`,
    '.SH NAME',
    'tincan \\- see, call, record, replay, bridge and check any stdio server',
    '.SH SYNOPSIS',
    bold('tincan'),
    text('<verb> [options] [-- <server command>]'),
    '.SH DESCRIPTION',
    text('For servers that speak JSON-RPC or the Model Context Protocol on stdin and stdout.'),
    ...verbs.flatMap(({ name, summary }) => ['.TP', bold(name), text(summary)]),
    '.SH VERBS',
    ...verbs.flatMap(section),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, means]) => ['.TP', bold(`${code}`), text(means)]),
    '.SH ENVIRONMENT',
    '.TP',
    bold('NO_COLOR'),
    'No colours, also in a terminal.',
  ].join('\n');
}

function section({ name, usage, description, options, examples }: Verb): string[] {
  return [
    `.SS tincan ${text(name)}`,
    '.nf',
    ...usage.map((form) => text(`tincan ${name} ${form}`)),
    '.fi',
    ...description.flatMap((paragraph) => ['.PP', text(paragraph)]),
    ...Object.entries(options).flatMap(([option, definition]) => [
      '.TP',
      bold(spell(option, definition)),
      text(describe(definition)),
    ]),
    '.PP',
    '.nf',
    ...examples.flatMap(({ command, does }) => [text(`# ${does}`), text(command)]),
    '.fi',
  ];
}

function bold(words: string): string {
  return `\\fB${text(words)}\\fR`;
}

/** Text that means itself: no line of it is a request, and a hyphen can be typed again. */
function text(words: string): string {
  const plain = words.replaceAll('`', '').replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return plain.replace(/^(?=[.'])/, '\\&');
}
