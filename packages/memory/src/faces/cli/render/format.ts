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

/** Prints a result in the form asked for: text for a terminal, JSON for a pipe, unless told. */
export async function present(
  args: Arguments,
  io: CommandIo,
  forms: { readonly json: unknown; text(): string },
): Promise<void> {
  const format = args.text('format') ?? (io.isTerminal ? 'text' : 'json');
  await print(io, format === 'json' ? visibleJson(forms.json, 2) : forms.text());
}
