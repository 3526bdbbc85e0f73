import type { Verb } from '../command/verb.ts';
import { EXIT_CODES, spell } from './help-text.ts';

/** The reference page `docs/cli.md`, from the definitions alone. */
export function referencePage(verbs: readonly Verb[]): string {
  return [
    '# The tincan command',
    '',
    'See, call, record, replay, bridge and check any stdio JSON-RPC or MCP server, in any language. This page is',
    'printed by `tincan help --markdown`.',
    '',
    '```',
    'tincan <verb> [options] [-- <server command>]',
    '```',
    '',
    '| verb | does |',
    '|---|---|',
    ...verbs.map(({ name, summary }) => `| [\`${name}\`](#tincan-${name}) | ${cell(summary)} |`),
    '',
    '| exit code | means |',
    '|---|---|',
    ...EXIT_CODES.map(([code, means]) => `| ${code} | ${means} |`),
    '',
    '`tincan tap` passes on the server’s exit code instead. Colours appear only in a terminal, and not if',
    '`NO_COLOR` is set. Control characters that servers send are shown escaped.',
    '',
    ...verbs.flatMap(section),
  ].join('\n');
}

function section({ name, summary, usage, description, options, examples }: Verb): string[] {
  const rows = Object.entries(options).map(([option, definition]) => {
    const { default: fallback, choices } = definition;
    const values = choices === undefined ? '' : ` (${choices.map((c) => `\`${c}\``).join(', ')})`;
    const text = cell(`${definition.description}${values}`);
    return `| \`${spell(option, definition)}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${text} |`;
  });
  return [
    `## tincan ${name}`,
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    '',
    '```',
    ...usage.map((form) => `tincan ${name} ${form}`),
    '```',
    ...description.flatMap((paragraph) => ['', paragraph]),
    ...(rows.length === 0 ? [] : ['', '| option | default | |', '|---|---|---|', ...rows]),
    '',
    '```sh',
    ...examples.flatMap(({ command, does }) => [`# ${does}`, command]),
    '```',
    '',
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
