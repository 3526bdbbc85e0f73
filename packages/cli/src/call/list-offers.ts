import type { Listed, ListedTool, McpClient } from 'tincan-mcp';
import type { Io } from '../command/io.ts';
import { cut, pad, printable, widthOf } from '../format/text.ts';

/** What a server offers. */
export interface Offers {
  readonly server: object | undefined;
  readonly era: string;
  readonly protocolVersion: string;
  readonly instructions?: string;
  readonly tools: readonly ListedTool[];
  readonly resources: readonly Listed[];
  readonly resourceTemplates: readonly Listed[];
  readonly prompts: readonly Listed[];
}

/** Asks for every list the server says it has. */
export async function listOffers(client: McpClient, timeoutMs: number): Promise<Offers> {
  const { agreement } = client;
  const { capabilities } = agreement;
  const has = (name: string): boolean => Object.hasOwn(capabilities, name);
  const options = { timeoutMs };
  const { serverInfo: server, era, protocolVersion, instructions } = agreement;
  return {
    server,
    era,
    protocolVersion,
    ...(instructions !== undefined && { instructions }),
    tools: has('tools') ? await client.listTools(options) : [],
    resources: has('resources') ? await client.listResources(options) : [],
    // Servers may have resources and no templates, and say so with an error.
    resourceTemplates: has('resources')
      ? await client.listResourceTemplates(options).catch(() => [])
      : [],
    prompts: has('prompts') ? await client.listPrompts(options) : [],
  };
}

/** The lists for a person. */
export function renderOffers(offers: Offers, io: Io): string[] {
  const { bold, cyan, dim } = io.paint;
  const { name, version } = Object(offers.server) as { name?: unknown; version?: unknown };
  const lines = [
    `${bold(printable(String(name ?? 'unnamed server')))} ${printable(String(version ?? ''))} ${dim(`(${offers.era}, ${offers.protocolVersion})`)}`,
  ];
  const sections: [string, readonly (readonly [string, string, string])[]][] = [
    ['Tools', offers.tools.map((tool) => [tool.name, parametersOf(tool), textOf(tool)])],
    ['Resources', offers.resources.map((item) => [String(item['uri']), '', textOf(item)])],
    [
      'Resource templates',
      offers.resourceTemplates.map((item) => [String(item['uriTemplate']), '', textOf(item)]),
    ],
    ['Prompts', offers.prompts.map((item) => [item.name, promptParameters(item), textOf(item)])],
  ];
  for (const [title, rows] of sections) {
    if (rows.length === 0) continue;
    lines.push('', bold(title));
    const first = Math.min(40, Math.max(...rows.map(([label]) => widthOf(label))));
    const room = Math.max(20, io.width - first - 4);
    for (const [label, parameters, text] of rows) {
      const name = printable(label);
      // A long name has a line of its own, so that the texts stand below each other.
      const isLong = widthOf(name) > first;
      if (isLong) lines.push(`  ${cyan(name)}`);
      const lead = isLong ? pad('', first) : cyan(pad(name, first));
      if (text !== '' || !isLong) lines.push(`  ${lead}  ${cut(text, room)}`.trimEnd());
      if (parameters !== '') lines.push(`  ${pad('', first)}  ${dim(cut(parameters, room))}`);
    }
  }
  return lines;
}

function textOf({
  description,
  title,
  name,
}: {
  description?: unknown;
  title?: unknown;
  name?: unknown;
}): string {
  return printable(String(description ?? title ?? name ?? '')).replace(/\s+/g, ' ');
}

function parametersOf({ inputSchema }: ListedTool): string {
  const { properties = {}, required = [] } = Object(inputSchema) as {
    properties?: Record<string, { type?: unknown }>;
    required?: string[];
  };
  return Object.entries(properties)
    .map(([key, value]) => {
      const type = Object(value).type;
      const mark = required.includes(key) ? '' : '?';
      return printable(`${key}${mark}${type === undefined ? '' : `: ${String(type)}`}`);
    })
    .join(', ');
}

function promptParameters({ arguments: args }: Listed): string {
  if (!Array.isArray(args)) return '';
  return args
    .map(({ name, required }) => printable(`${String(name)}${required === true ? '' : '?'}`))
    .join(', ');
}
