import { parseArgs } from 'node:util';
import { nearestName } from 'tincan-wire';
import { usageError } from './cli-error.ts';
import type { OptionDefinition, Verb } from './verb.ts';

type Value = string | number | boolean | readonly string[];

/** The command line of a verb, checked against its definition. */
export class Arguments {
  readonly positionals: readonly string[];
  /** What stands behind `--`: the command that starts a server. */
  readonly server: readonly string[];
  readonly #values: ReadonlyMap<string, Value>;

  constructor(
    positionals: readonly string[],
    server: readonly string[],
    values: ReadonlyMap<string, Value>,
  ) {
    this.positionals = positionals;
    this.server = server;
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

  list(name: string): readonly string[] {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value : [];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
}

/** Reads the words after the verb. */
export function parseArguments(verb: Verb, argv: readonly string[]): Arguments {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const server = end < 0 ? [] : argv.slice(end + 1);
  if (verb.isDelegate) return new Arguments(argv, [], new Map());
  const { values, positionals } = read(verb, own);
  if (verb.server === 'required' && server.length === 0) {
    throw usageError('expected `-- <server command>` at the end of the line');
  }
  if (verb.server === 'none' && server.length > 0) {
    throw usageError(`\`tincan ${verb.name}\` takes no server command`);
  }
  return new Arguments(positionals, server, values);
}

function read(
  { name: verbName, options }: Verb,
  argv: readonly string[],
): { values: Map<string, Value>; positionals: string[] } {
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
  const positionals: string[] = [];
  for (const [name, definition] of Object.entries(options)) {
    if (definition.default !== undefined) values.set(name, definition.default);
  }
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const definition = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (definition === undefined) throw unknownOption(verbName, token.rawName, options);
    const before = values.get(token.name);
    values.set(token.name, valueFrom(token, definition, before));
  }
  return { values, positionals };
}

function valueFrom(
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
    const known = choices.map((choice) => `\`${choice}\``).join(', ');
    throw usageError(`expected \`${rawName}\` to be one of ${known}, got \`${value}\``);
  }
  if (type === 'number') return wholeNumber(rawName, value);
  if (type === 'list') return [...(Array.isArray(before) ? before : []), value];
  return value;
}

function wholeNumber(rawName: string, value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isSafeInteger(number) || number < 0) {
    throw usageError(`expected \`${rawName}\` to be a whole number, got \`${value}\``);
  }
  return number;
}

function unknownOption(verb: string, rawName: string, options: Verb['options']): Error {
  const names = Object.keys(options).map((name) => `--${name}`);
  const guess = nearestName(rawName, [...names, '--help']);
  const hint =
    guess === undefined
      ? `; \`tincan ${verb} --help\` lists the options`
      : `; did you mean \`${guess}\`?`;
  return usageError(`unknown option \`${rawName}\`${hint}`);
}
