import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Settings } from '../../../config/settings.ts';
import { VERSION } from '../../../version.ts';

/** What a person who starts the server in a terminal sees: a server that waits for an agent looks dead. */
export function greeting({ store, embedder }: Settings): string {
  const place = store.path === null ? 'in this process only' : store.path;
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
    `  ${tincanCommand()} config        # connect an agent`,
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

/** The command line that runs this program again: a path in a clone, `npx` where it was installed. */
function ownCommand(): string {
  const program = resolve(process.argv[1] ?? 'tincan-memory');
  return isInstalled(program) ? `npx -y tincan-memory@${VERSION}` : `node ${quoted(program)}`;
}

function tincanCommand(): string {
  const program = resolve(process.argv[1] ?? '.', '../../../cli/bin/tincan.js');
  return existsSync(program) ? `node ${quoted(program)}` : `npx -y tincan-cli@${VERSION}`;
}

function isInstalled(program: string): boolean {
  return program.split(sep).includes('node_modules');
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path);
}
