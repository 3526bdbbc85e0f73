import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** What to hand to `spawn`. */
export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already and must not be quoted again. */
  readonly isVerbatim: boolean;
}

/** Surroundings of {@link resolveCommand}; `exists` is there for tests. */
export interface ResolveOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly exists?: (path: string) => boolean;
}

const BATCH = /\.(?:cmd|bat)$/i;
/** Characters that `cmd.exe` acts on even inside an argument. */
const CMD_SPECIAL = /[()%!^"<>&|\s;,=]/g;

/**
 * Finds what a command name stands for. On POSIX that is left to the system; on Windows the extensions of
 * PATHEXT are tried, and batch files, which `npx` and its like are, run through `cmd.exe`.
 */
export function resolveCommand(
  command: string,
  args: readonly string[],
  { env, platform, exists = existsSync }: ResolveOptions,
): ResolvedCommand {
  if (platform !== 'win32') return { file: command, args, isVerbatim: false };
  const file = findOnWindows(command, env, exists) ?? command;
  if (!BATCH.test(file)) return { file, args, isVerbatim: false };
  // A batch file reads its line twice, so its arguments are escaped twice.
  const line = [
    escapeForCmd(file),
    ...args.map((arg) => escapeForCmd(escapeForCmd(quote(arg)))),
  ].join(' ');
  return {
    file: variable(env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    isVerbatim: true,
  };
}

function findOnWindows(
  command: string,
  env: ResolveOptions['env'],
  exists: (path: string) => boolean,
): string | undefined {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const extended = extensions.map((extension) => command + extension);
  const names = win32.extname(command) === '' ? extended : [command, ...extended];
  const isPath = /[\\/]/.test(command);
  const folders = isPath ? [''] : (variable(env, 'PATH') ?? '').split(';');
  for (const folder of folders) {
    for (const name of names) {
      const path = folder === '' ? name : win32.join(folder, name);
      if (exists(path)) return path;
    }
  }
  return undefined;
}

/** Windows does not care about the case of variable names. */
function variable(env: ResolveOptions['env'], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/** Quotes as the C runtime of the called program undoes it. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

function escapeForCmd(text: string): string {
  return text.replace(CMD_SPECIAL, '^$&');
}
