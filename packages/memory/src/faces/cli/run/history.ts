import type { VersionView } from '../../../service/history.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { present } from '../render/format.ts';
import { renderVersions } from '../render/version-text.ts';
import { oneId } from './one-id.ts';
import { withMemory } from './with-memory.ts';

/** `history` */
export const runHistory: RunCommand = async (args, io) => {
  const id = oneId(args);
  const listed = await withMemory(args, io, ({ call }) =>
    call<{ versions: readonly VersionView[] }>('history', { id }),
  );
  await present(args, io, {
    json: listed,
    text: () => renderVersions(listed.versions, io.columns),
  });
  return ExitCode.Ok;
};
