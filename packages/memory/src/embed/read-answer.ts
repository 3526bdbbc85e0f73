import { providerError } from './provider-error.ts';

/** Several times what the largest batch of the longest vectors takes as JSON. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The JSON in a provider's answer; one that does not end is given up, so that it cannot fill the memory. */
export async function readAnswer(
  response: Response,
  maxBytes: number = MAX_BYTES,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) {
      throw providerError(
        `expected the embedding provider to answer with at most ${maxBytes} bytes, got more`,
        { status: response.status },
      );
    }
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
