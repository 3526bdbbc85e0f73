import type { JsonSchema } from 'tincan-mcp';
import { CliError, usageError } from '../command/cli-error.ts';

/** Where the texts of `@file` and `-` come from. */
export interface ArgumentSources {
  readFile(path: string): Promise<string>;
  readStdin(): Promise<string>;
}

/** Arguments of a call from words of a command line; undefined when there are none. */
export async function readCallArguments(
  words: readonly string[],
  sources: ArgumentSources,
  schema?: JsonSchema,
): Promise<object | undefined> {
  if (words.length === 0) return undefined;
  const [only = ''] = words;
  if (words.length === 1 && only.startsWith('[')) return parseJson(only, only) as object;
  let args: Record<string, unknown> = {};
  for (const word of words) args = { ...args, ...(await readWord(word, sources, schema)) };
  return args;
}

async function readWord(
  word: string,
  sources: ArgumentSources,
  schema: JsonSchema | undefined,
): Promise<object> {
  if (word === '-' || word === '@-') return parseObject(await sources.readStdin(), 'stdin');
  if (word.startsWith('@')) {
    const path = word.slice(1);
    const text = await sources.readFile(path).catch((cause: Error) => {
      throw new CliError('BROKEN', `could not read \`${path}\`: ${cause.message}`, { cause });
    });
    return parseObject(text, path);
  }
  if (word.startsWith('{')) return parseObject(word, word);
  const match = /^([^=:]+|[^=]+?)(:?=)([\s\S]*)$/.exec(word);
  const [, key, operator, value] = match ?? [];
  if (key === undefined || value === undefined) {
    throw usageError(`expected \`key=value\`, \`key:=json\`, \`@file\` or \`-\`, got \`${word}\``);
  }
  return { [key]: operator === ':=' ? parseJson(value, word) : coerce(value, typeOf(schema, key)) };
}

function parseObject(text: string, place: string): object {
  const value = parseJson(text, place);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`expected a JSON object in \`${place}\``);
  }
  return value;
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`expected JSON in \`${place}\`: ${reason}`);
  }
}

/** Types the schema allows for a member; empty when it says nothing. */
function typeOf(schema: JsonSchema | undefined, key: string): readonly unknown[] {
  const properties: unknown = Reflect.get(Object(schema), 'properties');
  const type: unknown = Reflect.get(Object(Reflect.get(Object(properties), key)), 'type');
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

/** Text, unless the schema wants something else and the text is that. */
function coerce(value: string, types: readonly unknown[]): unknown {
  if (types.length === 0 || types.includes('string')) return value;
  try {
    return JSON.parse(value);
  } catch {
    // The server will say what it wanted.
    return value;
  }
}
