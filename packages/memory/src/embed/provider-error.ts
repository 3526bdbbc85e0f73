import { MemoryError } from '../errors.ts';
import { type Endpoint, keyOrigin, OPENAI_ORIGIN } from './endpoint.ts';

/** A provider that failed: `status` is its HTTP status, null where none came. */
export function providerError(
  message: string,
  { status = null, cause }: { readonly status?: number | null; readonly cause?: unknown } = {},
): MemoryError {
  return new MemoryError('PROVIDER', message, {
    cause,
    data: { status, retryable: isRetryableStatus(status) },
  });
}

/** Whether trying again may help. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof MemoryError && error.code === 'PROVIDER' && error.data?.['retryable'] === true
  );
}

/** No status at all is a connection that failed, which may come back. */
function isRetryableStatus(status: number | null): boolean {
  return status === null || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A key that is needed and not there. */
export function keyMissing(endpoint: Endpoint): MemoryError {
  const { provider } = endpoint;
  const origin = keyOrigin(endpoint);
  const needs =
    origin === OPENAI_ORIGIN
      ? 'needs `embedder.apiKey` or the environment variable `OPENAI_API_KEY`'
      : `needs \`embedder.apiKey\` beside \`embedder.baseUrl\`, or \`OPENAI_API_KEY\` beside \`TINCAN_EMBEDDER_BASE_URL\`: a key configured for another address is not sent to \`${origin}\``;
  return new MemoryError('KEY_MISSING', `API key missing: provider \`${provider}\` ${needs}`, {
    data: { provider, origin },
  });
}
