import type { Settings, Toolset } from '../../../config/settings.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { type CommandIo, remark } from '../io.ts';
import { settingsFor } from './with-memory.ts';

const EXAMPLES = [
  {
    method: 'memory.add_note',
    params: { projectId: 'demo', groupId: 'global', text: 'Deploys go out on Tuesdays' },
  },
  { method: 'memory.search', params: { projectId: 'demo', query: 'when do we release?' } },
];

/** `serve` */
export const runServe: RunCommand = async (args, io) => {
  const port = args.number('port');
  if (port !== undefined && port > 65_535) {
    throw usageError(`invalid port: ${port} (must be 0-65535)`);
  }
  const settings = await settingsFor(args, io);
  const transport = (args.text('transport') ?? settings.transportDefaults.defaultTransport) as
    | 'stdio'
    | 'http';
  const { serveMemory } = await import('../../serve.ts');
  if (transport === 'stdio' && io.isInputTerminal) hint(settings, io);
  await serveMemory(settings, {
    transport,
    host: args.text('host'),
    port,
    toolset: args.text('toolset') as Toolset | undefined,
    requireToken: !args.flag('no-token'),
    sessionTimeoutMs: args.number('session-timeout'),
    signal: io.signal,
    onListening: (url) => {
      remark(io, `listening on ${url}`);
      if (!args.flag('no-token'))
        remark(io, 'clients send the token that `tincan-memory token` prints');
    },
  });
  return ExitCode.Ok;
};

/** A server that waits for an agent looks dead to a person: say what it is and what to type. */
function hint({ store }: Settings, io: CommandIo): void {
  const place = store.path === null ? 'in this process alone' : `in ${store.path}`;
  const lines = EXAMPLES.map(({ method, params }, index) =>
    JSON.stringify({ jsonrpc: '2.0', id: index + 1, method, params }),
  );
  remark(
    io,
    [
      `The memory server is running; notes are kept ${place}.`,
      'Agents start it by themselves and speak to it in lines of JSON-RPC (MCP or `memory.*`).',
      'Paste a line to try it; Ctrl-D ends it:',
      '',
      ...lines.flatMap((line) => [line, '']),
      '`tincan-memory --help` lists the commands for people (`npm start -- --help` in a clone).',
    ].join('\n'),
  );
}
