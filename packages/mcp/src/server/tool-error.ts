import { RpcError } from 'tincan-wire';

/** A failure the model should read and act on: becomes a result with `isError`. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
}

/** A failure of the protocol rather than of the tool: becomes a JSON-RPC error. */
export class ProtocolError extends RpcError {
  override readonly name: string = 'ProtocolError';
}
