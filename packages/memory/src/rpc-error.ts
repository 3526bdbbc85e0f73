/** An error with a JSON-RPC code: what a face sends back to the caller as it is. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError';
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}
