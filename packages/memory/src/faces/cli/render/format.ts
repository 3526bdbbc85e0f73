import { visibleJson } from '../../visible-text.ts';
import type { Arguments } from '../arguments.ts';
import type { OptionDefinition } from '../command.ts';
import { type CommandIo, print } from '../io.ts';

/** The option that chooses between a reader and a program. */
export const formatOption: Readonly<Record<'format', OptionDefinition>> = {
  format: {
    type: 'text',
    short: 'f',
    value: 'format',
    choices: ['text', 'json'],
    description: 'text or json (default: text in a terminal, json in a pipe)',
  },
};

/** Whether the result is for a reader: text in a terminal, JSON in a pipe, unless an option says otherwise. */
export function isText(args: Arguments, io: CommandIo): boolean {
  return (args.text('format') ?? (io.isTerminal ? 'text' : 'json')) === 'text';
}

/** Prints a result for a reader or for a program. */
export async function present(
  args: Arguments,
  io: CommandIo,
  forms: { readonly json: unknown; text(): string },
): Promise<void> {
  await print(io, isText(args, io) ? forms.text() : visibleJson(forms.json, 2));
}
