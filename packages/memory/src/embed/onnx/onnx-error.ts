import { MemoryError } from '../../errors.ts';

/** What keeps a transformer model from working; `repair` is what to do, where it can be said. */
export function onnxError(
  message: string,
  { repair, cause }: { readonly repair?: string; readonly cause?: unknown } = {},
): MemoryError {
  return new MemoryError('PROVIDER', repair === undefined ? message : `${message}: ${repair}`, {
    cause,
    data: { status: null, retryable: false, ...(repair === undefined ? {} : { repair }) },
  });
}
