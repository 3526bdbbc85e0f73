import { join, resolve } from 'node:path';
import { type AccessOptions, isToken, TokenFile } from 'tincan-mcp/http';
import type { Arguments } from '../command/arguments.ts';
import { usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { stateFolder } from '../command/state-folder.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** Who may call a bridge that listens on `host`, and a line that tells a person how. */
export function bridgeAccess(
  host: string,
  args: Arguments,
  io: Io,
): { readonly access: AccessOptions; readonly remark: string } {
  const open = {
    allowedHosts: args.list('allow-host'),
    allowedOrigins: args.list('allow-origin'),
  };
  const { TINCAN_TOKEN: token } = io.env;
  if (args.has('token')) {
    throw usageError(
      'expected the token in `TINCAN_TOKEN` or `--token-file`: every user of this machine can read `--token`',
    );
  }
  if (args.flag('no-token')) {
    if (!LOOPBACK.test(host)) {
      throw usageError(`\`--no-token\` is for loopback only; others can reach \`${host}\``);
    }
    if (token || args.has('token-file')) {
      throw usageError('expected either `--no-token` or a token, got both');
    }
    return { access: open, remark: 'every user of this machine may call it: no token is required' };
  }
  if (token && !args.has('token-file')) {
    if (!isToken(token)) {
      throw usageError('expected `TINCAN_TOKEN` to be visible ASCII without spaces');
    }
    const tokenHint = 'it is what `TINCAN_TOKEN` was when the bridge started';
    const remark = 'clients send `TINCAN_TOKEN` as `Authorization: Bearer <token>`';
    return { access: { ...open, token, tokenHint }, remark };
  }
  const path = resolve(
    io.cwd,
    args.text('token-file') ?? join(stateFolder(io.env), 'bridge-token'),
  );
  const { current } = TokenFile.open(path);
  return {
    access: {
      ...open,
      token: current,
      tokenHint: 'read the file that the bridge named when it started',
    },
    remark: `clients send the token in ${path} as \`Authorization: Bearer <token>\``,
  };
}
