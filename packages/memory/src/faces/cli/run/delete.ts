import { RpcCode } from '../../../errors.ts';
import { RpcError } from '../../../rpc-error.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { present } from '../render/format.ts';
import { withMemory } from './with-memory.ts';

/** `delete`: does what it can and tells which ids were not there. */
export const runDelete: RunCommand = async (args, io) => {
  if (args.words.length === 0) throw usageError('id is required');
  const deleted: string[] = [];
  const missing: string[] = [];
  await withMemory(args, io, async ({ call }) => {
    for (const id of args.words) {
      try {
        await call('delete', { id, hard: args.flag('hard') });
        deleted.push(id);
      } catch (error) {
        if (!(error instanceof RpcError) || error.rpcCode !== RpcCode.NotFound) throw error;
        missing.push(id);
        remark(io, `error: not found: ${id}`);
      }
    }
  });
  await present(args, io, {
    json: { deleted, missing },
    text: () =>
      `${args.flag('hard') ? 'Erased' : 'Deleted'} ${deleted.length} of ${args.words.length}`,
  });
  return missing.length === 0 ? ExitCode.Ok : ExitCode.Failed;
};
