import type { Toolset } from '../../../config/settings.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { ownCommand } from '../own-command.ts';
import { greeting, replyTo } from '../render/greeting.ts';
import { settingsFor } from './with-memory.ts';

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
  const isTyped = transport === 'stdio' && io.isInputTerminal;
  if (isTyped) remark(io, greeting(settings));
  await serveMemory(settings, {
    transport,
    host: args.text('host'),
    port,
    toolset: args.text('toolset') as Toolset | undefined,
    requireToken: !args.flag('no-token'),
    sessionTimeoutMs: args.number('session-timeout'),
    signal: io.signal,
    onText: isTyped ? (line) => remark(io, replyTo(line)) : undefined,
    onListening: (url) => {
      remark(io, `listening on ${url}`);
      remark(io, `MCP clients connect to ${url}/mcp`);
      if (!args.flag('no-token'))
        remark(io, `clients must send the token that \`${ownCommand()} token\` prints`);
    },
  });
  return ExitCode.Ok;
};
