import type { Settings } from '../config/settings.ts';
import { callMethod } from '../methods/call-method.ts';
import type { CallContext } from '../service/context.ts';
import type { Memory, MemoryOptions } from '../service/memory.ts';

/** Calls a method of the table by its JSON-RPC name: all that a face needs of the memory. */
export type Call = (name: string, params: unknown, context?: CallContext) => Promise<unknown>;

/** A memory that is loaded when first asked for: a server's first answers do without it. */
export class LazyMemory {
  readonly settings: Settings;
  /** Told how far the embedding of notes is. */
  onProgress: MemoryOptions['onProgress'];
  #memory: Promise<Memory> | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  readonly get = (): Promise<Memory> => {
    this.#memory ??= import('../service/memory.ts').then(
      (module) =>
        new module.Memory({
          settings: this.settings,
          onProgress: (progress) => this.onProgress?.(progress),
        }),
    );
    return this.#memory;
  };

  async close(): Promise<void> {
    await (await this.#memory)?.close();
  }
}

/** Calls into one memory. */
export function callsTo(memory: () => Promise<Memory>): Call {
  return async (name, params, context) => callMethod(await memory(), name, params, context);
}
