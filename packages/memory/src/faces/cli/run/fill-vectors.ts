import type { Memory, MemoryOptions } from '../../../service/memory.ts';
import { type CommandIo, remark } from '../io.ts';
import { ProgressBar } from '../render/progress-bar.ts';

/** Embedding with a bar: an option for the memory, and the work itself. */
export interface VectorFilling extends Required<Pick<MemoryOptions, 'onProgress'>> {
  /** `false`, with the reason on stderr, where the embedder cannot be used now. */
  run(memory: Memory, options?: { readonly all?: boolean }): Promise<boolean>;
  /** Vectors made. */
  readonly count: () => number;
}

/** Prepares the work before the memory is made, which reports to it. */
export function fillVectors(io: CommandIo, label: string): VectorFilling {
  const bar = new ProgressBar(io, label);
  let made = 0;
  return {
    onProgress: ({ done, pending }) => {
      made = done;
      bar.update(done, done + pending);
    },
    count: () => made,
    run: async (memory, { all = false } = {}) => {
      try {
        await memory.reindex({ all, ...(io.signal === undefined ? {} : { signal: io.signal }) });
        return true;
      } catch (error) {
        io.signal?.throwIfAborted();
        bar.end();
        const reason = error instanceof Error ? error.message : String(error);
        remark(io, `warning: notes wait for their vectors: ${reason}`);
        return false;
      } finally {
        bar.end();
      }
    },
  };
}
