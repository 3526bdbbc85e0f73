import { isToken, TokenFile } from 'tincan-mcp/http';
import { tokenPath } from '../../../config/token-path.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { print, remark } from '../io.ts';
import { settingsFor } from './with-memory.ts';

/** `token` */
export const runToken: RunCommand = async (args, io) => {
  const { http, paths } = await settingsFor(args, io);
  const { token } = http;
  const isRotated = args.flag('rotate');
  if (token !== undefined) {
    const place = io.env['TINCAN_TOKEN']
      ? '`TINCAN_TOKEN`'
      : `\`http.token\` in ${paths.configPath}`;
    if (isRotated) throw usageError(`the token comes from ${place}: replace it there`);
    if (!isToken(token)) throw usageError(`expected ${place} to be visible ASCII without spaces`);
    await print(io, token);
    return ExitCode.Ok;
  }
  const path = tokenPath(paths);
  const file = isRotated ? TokenFile.rotate(path) : TokenFile.open(path);
  await print(io, file.current());
  if (isRotated) {
    remark(io, 'replaced the token; running servers refuse the old one from now on');
  }
  return ExitCode.Ok;
};
