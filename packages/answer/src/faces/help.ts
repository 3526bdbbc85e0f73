import { settings } from '../config/settings.ts';

/** What `--help` prints. */
export function helpText(version: string): string {
  const flags = settings.flatMap(({ flag, fallback, about }) => {
    if (flag === undefined) return [];
    const value = typeof fallback === 'boolean' ? '' : ' <value>';
    const what = flag.startsWith('--no-') ? `do not ${about}` : about;
    return [row(`${flag}${value}`, what)];
  });
  return `tincan-answer ${version}: answers questions with web search and checked citations

Usage
${row('tincan-answer --stdio', 'serve MCP on standard input and output')}
${row('tincan-answer ask <question>', 'ask once and print the answer')}
${row('tincan-answer smoke', 'run a server in both framings and print what it says')}
${row('tincan-answer --show-config', 'print every setting and where it came from')}
${row('tincan-answer --check', 'check configuration, key, endpoint, model and search')}
${row('tincan-answer --demo', 'run the demo upstream: no key, no network, no cost')}

Options
${row('--config <file>', 'configuration file')}
${row('--set <key>=<value>', 'any setting of the configuration file')}
${row('--debug [<file>]', 'diagnostics on stderr, and in the file')}
${row('--demo', 'with --stdio, ask or smoke: answer from the demo upstream')}
${row('--json', 'with ask, --show-config or --check: print JSON')}
${row('--tool <name>', 'with ask: answer, answer_detailed or answer_quick')}
${row('--fresh', 'with ask: do not answer from memory')}
${flags.join('\n')}
${row('--help, --version', 'this text; the version')}

Variables
  OPENAI_API_KEY (or the one named by openai.api_key_env), MODEL_ANSWER, ANSWER_EFFORT,
  ANSWER_VERBOSITY, OPENAI_API_TIMEOUT, OPENAI_MAX_RETRIES, SEARCH_MAX_RESULTS,
  SEARCH_RECENCY_DAYS, MAX_CITATIONS, DEBUG, MCP_LINE_MODE=1, and for every setting
  TINCAN_ANSWER_<KEY>, for example TINCAN_ANSWER_REQUEST_TIMEOUT_MS.

Flags win over variables, variables over the file, the file over defaults.
The file is ~/.config/tincan/answer.yaml unless --config names another.
`;
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(30)} ${right}`;
}
