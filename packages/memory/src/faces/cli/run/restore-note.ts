import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { present } from '../render/format.ts';
import { embedSoon } from './embed-soon.ts';
import { oneId } from './one-id.ts';
import { withMemory } from './with-memory.ts';

/** `restore` with the id of a note. */
export const runRestoreNote: RunCommand = async (args, io) => {
  const id = oneId(args);
  await withMemory(args, io, async ({ memory, call }) => {
    const version = args.number('version');
    const restored = await call<{ version: number }>('restore', { id, version });
    await present(args, io, {
      json: restored,
      text: () => `Restored ${id} as version ${restored.version}`,
    });
    await embedSoon(memory);
  });
  return ExitCode.Ok;
};
