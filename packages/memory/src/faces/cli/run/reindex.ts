import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { present } from '../render/format.ts';
import { fillVectors } from './fill-vectors.ts';
import { withMemory } from './with-memory.ts';

/** `reindex` */
export const runReindex: RunCommand = async (args, io) => {
  const vectors = fillVectors(io, 'embedding');
  return withMemory(
    args,
    io,
    async ({ memory }) => {
      const isDone = await vectors.run(memory, { all: args.flag('all') });
      const { notes } = await memory.status();
      const embedded = vectors.count();
      await present(args, io, {
        json: { embedded, notes },
        text: () => `Embedded ${embedded} of ${notes} notes`,
      });
      return isDone ? ExitCode.Ok : ExitCode.Broken;
    },
    vectors,
  );
};
