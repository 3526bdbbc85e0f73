import { callMethod } from '../methods/call-method.ts';
import type { CallContext } from '../service/context.ts';
import type { Memory } from '../service/memory.ts';

/** Calls a method of the table by its JSON-RPC name: all that a face needs of the memory. */
export type Call = (name: string, params: unknown, context?: CallContext) => Promise<unknown>;

/** Calls into one memory. */
export function callsTo(memory: Memory): Call {
  return (name, params, context) => callMethod(memory, name, params, context);
}
