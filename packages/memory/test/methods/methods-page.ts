import type { Method } from '../../src/methods/method.ts';
import { toolName } from '../../src/methods/tool-schema.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';

/** The reference page `docs/memory-methods.md`, from the table alone. */
export function methodsPage(methods: readonly Method[]): string {
  return [
    '# Methods of the memory',
    '',
    'Each is a JSON-RPC method on stdio and at `POST /rpc`. Most are MCP tools too, in the toolset `core` or in `all`:',
    '[toolsets](memory.md#toolsets). `?` marks an optional parameter. A parameter that is not listed is refused; only `_meta`',
    'is always allowed. This page is made from the method table:',
    '`npx vitest run packages/memory/test/methods/methods-page.test.ts -u` writes it.',
    '',
    '| method | tool | |',
    '|---|---|---|',
    ...methods.map(
      (method) =>
        `| [\`${method.name}\`](#${method.name.replace('.', '')}) | ${toolOf(method)} | ${firstSentence(method.description)} |`,
    ),
    '',
    'Errors: [docs/memory.md](memory.md#errors).',
    '',
    ...methods.flatMap(section),
  ].join('\n');
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

function toolOf(method: Method): string {
  return method.tool === undefined ? '–' : `\`${toolName(method)}\` (${method.tool.toolset})`;
}

function section({ name, description, params, result, annotations }: Method): string[] {
  const { readOnlyHint, destructiveHint } = annotations;
  const effect = readOnlyHint ? 'Reads only.' : destructiveHint ? 'Replaces.' : 'Adds.';
  return [
    `## ${name}`,
    '',
    `${description} ${effect}`,
    '',
    ...rows('parameter', params),
    ...rows('result', result),
  ];
}

function rows(heading: string, schema: JsonSchema): string[] {
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return [`No ${heading}s.`, ''];
  return [`| ${heading} | type | |`, '|---|---|---|', ...fields, ''];
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const isList = field.items !== undefined;
    const inner = isList ? (field.items ?? {}) : field;
    return [
      `| \`${path}\`${required.includes(name) ? '' : '?'} | ${typeName(field)} | ${rules(field)} |`,
      ...fieldsOf(inner, `${path}${isList ? '[]' : ''}.`),
    ];
  });
}

function typeName({ type, items }: JsonSchema): string {
  const names = type === undefined ? ['any'] : [type].flat();
  return names
    .map((name) => (name === 'array' && items !== undefined ? `${typeName(items)}[]` : name))
    .join(' or ');
}

function rules(field: JsonSchema): string {
  const { description, minLength, pattern, minimum, maximum, maxItems } = field;
  return [
    ...(description === undefined ? [] : [description]),
    ...(field.enum === undefined ? [] : [field.enum.map((value) => `\`${value}\``).join(', ')]),
    ...(minLength === undefined ? [] : ['not empty']),
    ...(pattern === undefined ? [] : [`\`${pattern.replaceAll('|', '\\|')}\``]),
    ...(minimum === undefined ? [] : [`${minimum} to ${maximum ?? '…'}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
  ].join('; ');
}
