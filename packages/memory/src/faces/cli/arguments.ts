import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, type Command, type OptionDefinition } from './command.ts';
import { usageError } from './command-error.ts';

type Value = string | number | boolean | readonly string[];

/** The words after the command's name, checked against its definition. */
export class Arguments {
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, Value>;

  constructor(words: readonly string[], values: ReadonlyMap<string, Value>) {
    this.words = words;
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name);
    return typeof value === 'number' ? value : undefined;
  }

  /** `undefined` where the option was not given. */
  list(name: string): readonly string[] | undefined {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value : undefined;
  }
}

/**
 * Reads a command line; options and words may mix, and everything behind `--` is a word. `fix` says what to do about
 * words that the command does not take.
 */
export function parseArguments(
  command: Command,
  argv: readonly string[],
  fix = `\`tincan-memory ${command.name} --help\` lists its options`,
): Arguments {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type: type === 'flag' ? 'boolean' : 'string', ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, Value>();
  const words: string[] = [];
  for (const [name, { default: preset }] of Object.entries(options)) {
    if (preset !== undefined) values.set(name, preset);
  }
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const definition = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (definition === undefined) throw unknownOption(command.name, token.rawName);
    values.set(token.name, parseValue(token, definition, values.get(token.name)));
  }
  const isHelp = values.get('help') === true;
  if (command.words === 'none' && words.length > 0 && !isHelp) {
    throw usageError(`\`${command.name}\` takes options only, got \`${words[0]}\`; ${fix}`);
  }
  return new Arguments(words, values);
}

function parseValue(
  { rawName, value }: { readonly rawName: string; readonly value: string | undefined },
  { type, choices }: OptionDefinition,
  before: Value | undefined,
): Value {
  if (type === 'flag') {
    if (value !== undefined) throw usageError(`\`${rawName}\` takes no value, got \`${value}\``);
    return true;
  }
  if (value === undefined) throw usageError(`expected a value after \`${rawName}\``);
  if (choices !== undefined && !choices.includes(value)) {
    throw usageError(`expected \`${rawName}\` to be ${orList(choices)}, got \`${value}\``);
  }
  if (type === 'number') return wholeNumber(rawName, value);
  if (type === 'text') return value;
  const items = value.split(',').map((item) => item.trim());
  return [...(Array.isArray(before) ? before : []), ...items.filter((item) => item !== '')];
}

function wholeNumber(rawName: string, value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw usageError(`expected \`${rawName}\` to be a whole number, got \`${value}\``);
  }
  return number;
}

function orList(choices: readonly string[]): string {
  return choices.map((choice) => `\`${choice}\``).join(' or ');
}

function unknownOption(command: string, rawName: string): Error {
  return usageError(
    `unknown option \`${rawName}\`; \`tincan-memory ${command} --help\` lists the options`,
  );
}
