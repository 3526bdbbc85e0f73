import { RpcError } from '../rpc-error.ts';
import { loadRedactor } from '../service/redactor.ts';

/** An error that repeats no secret: what a caller got wrong is often quoted in its message. */
export async function withoutSecrets(error: RpcError): Promise<RpcError> {
  const { redactText, redactValue } = await loadRedactor();
  const { rpcCode, data, cause } = error;
  const message = redactText(error.message);
  const clean = redactValue(data);
  return new RpcError(rpcCode, message, clean, cause === undefined ? {} : { cause });
}
