import { isMetadataHost } from './metadata-host.ts';
import { PROVIDERS, type ProviderName } from './providers.ts';

/** Where a provider is reached; `null` or absent means its default. */
export interface Endpoint {
  readonly provider: ProviderName;
  readonly baseUrl?: string | null | undefined;
}

/** Origin of OpenAI: a key that names no address is for it. */
export const OPENAI_ORIGIN: string = originOf(PROVIDERS.openai.defaultBaseUrl ?? '');

/** What is wrong with a provider's address; `undefined` when nothing is. */
export function endpointProblem(text: string): string | undefined {
  // The URL parser drops line breaks without a word.
  if (/[\s\p{Cc}]/u.test(text)) {
    return 'expected a URL without spaces, line breaks and control characters';
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return 'expected a URL that starts with `http://` or `https://`';
  }
  if (url.username !== '' || url.password !== '') {
    return 'expected a URL without user name and password: a key belongs into `embedder.apiKey`';
  }
  if (isMetadataHost(url.hostname)) {
    return `expected the address of an embedding server, got \`${url.hostname}\`, a link-local or cloud metadata address`;
  }
  return undefined;
}

/** Scheme, host and port of a URL; an empty text where it is not one. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The only origin that a key configured beside this endpoint may be sent to. */
export function keyOrigin({ provider, baseUrl }: Endpoint): string {
  const address = baseUrl || PROVIDERS[provider].defaultBaseUrl;
  // A provider without an address sends nothing: the key waits for OpenAI.
  return address === null ? OPENAI_ORIGIN : originOf(address);
}
