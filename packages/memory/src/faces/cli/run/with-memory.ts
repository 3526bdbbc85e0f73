import type { Environment } from '../../../config/environment.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import type { Settings } from '../../../config/settings.ts';
import { callMethod } from '../../../methods/call-method.ts';
import type { Memory, MemoryOptions } from '../../../service/memory.ts';
import type { Arguments } from '../arguments.ts';
import type { CommandIo } from '../io.ts';

/** The memory as a command uses it. */
export interface OpenMemory {
  readonly memory: Memory;
  /** Calls a method of the table, `add_note`. */
  call<Result>(method: string, params: object): Promise<Result>;
}

/** The settings that a command line and its environment name. */
export function settingsFor(args: Arguments, { env, cwd, home }: CommandIo): Promise<Settings> {
  const configPath = args.text('config');
  return loadSettings({
    env: { ...env, ...embedderVariables(args) },
    cwd,
    configPath,
    ...(home === undefined ? {} : { home }),
  });
}

/** Options stand for variables and win over them. */
function embedderVariables(args: Arguments): Environment {
  const given = {
    TINCAN_EMBEDDER_PROVIDER: args.text('embedder'),
    TINCAN_EMBEDDER_MODEL: args.text('model'),
    TINCAN_EMBEDDER_RUNTIME: args.text('runtime'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Opens the memory for one piece of work and closes it afterwards. */
export async function withMemory<T>(
  args: Arguments,
  io: CommandIo,
  work: (open: OpenMemory) => Promise<T>,
  { onProgress }: Pick<MemoryOptions, 'onProgress'> = {},
): Promise<T> {
  const { cwd, home, signal } = io;
  // A server reads its settings here too, and answers first without the memory.
  const { Memory } = await import('../../../service/memory.ts');
  const memory = new Memory({
    settings: await settingsFor(args, io),
    cwd,
    ...(home === undefined ? {} : { home }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  try {
    return await work({
      memory,
      call: async <Result>(method: string, params: object) =>
        (await callMethod(memory, `memory.${method}`, params, { signal })) as Result,
    });
  } finally {
    await memory.close();
  }
}
