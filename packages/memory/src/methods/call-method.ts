import { RpcCode, toRpcError } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { CallContext } from '../service/context.ts';
import type { Memory } from '../service/memory.ts';
import { checkParams } from './check-params.ts';
import { findMethod } from './methods.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Calls a method by its JSON-RPC name. Whatever goes wrong comes out as an `RpcError`, so that a face
 * has nothing to decide.
 */
export async function callMethod(
  memory: Memory,
  name: string,
  params: unknown,
  context: CallContext = {},
): Promise<unknown> {
  const method = findMethod(name);
  try {
    if (method === undefined) throw new RpcError(RpcCode.MethodNotFound, 'Method not found', name);
    const checked = checkParams(method.params, params);
    const rereading = memory.configuration.refresh();
    // Without a change the handler starts in this turn: limits on queued answers count on it.
    if (rereading !== undefined) await rereading;
    return await method.handle(memory, checked, context);
  } catch (error) {
    // A call that was cancelled gets no answer; its reason is the caller's own.
    context.signal?.throwIfAborted();
    throw await withoutSecrets(toRpcError(error));
  }
}
