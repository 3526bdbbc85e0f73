import type { Settings } from '../../../config/settings.ts';
import { VERSION } from '../../../version.ts';
import { ownCommand, tincanCommand } from '../own-command.ts';

/** What a person who starts the server in a terminal sees: a server that waits for an agent looks dead. */
export function greeting({ store, embedder }: Settings): string {
  const place = store.path === null ? 'in this process only' : store.path;
  const tincan = tincanCommand();
  return [
    `tincan memory ${VERSION} is running and waits for an agent.`,
    `Notes:    ${place}`,
    `Search:   ${embedder.provider === 'local' ? 'offline, by words and by meaning' : `by words and with the embedder \`${embedder.provider}\``}`,
    'Protocol: JSON-RPC on stdin, one message per line (MCP or `memory.*`).',
    'Type `help` for help. Ctrl-D stops the server.',
    '',
    'Try it in a second terminal:',
    `  ${ownCommand()} add "Deploys go out on Tuesdays"`,
    `  ${ownCommand()} search "when do we release?"`,
    ...(tincan === undefined ? [] : [`  ${tincan} config        # connect an agent`]),
  ].join('\n');
}

/** The answer to a line that is not JSON. */
export function replyTo(line: string): string {
  if (/^(?:help|\?|h)$/i.test(line)) {
    return [
      'This is the memory server. Agents start it by themselves; you can also type JSON-RPC here:',
      `  ${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'memory.list_recent', params: { projectId: '.' } })}`,
      'For people there are commands, in a second terminal:',
      `  ${ownCommand()} --help`,
      'Ctrl-D stops the server.',
    ].join('\n');
  }
  if (/^(?:exit|quit|q|bye)$/i.test(line)) return 'Press Ctrl-D to stop the server.';
  return `expected JSON-RPC or \`help\`, got \`${line.slice(0, 40)}\`; commands go into a second terminal: ${ownCommand()} --help`;
}
