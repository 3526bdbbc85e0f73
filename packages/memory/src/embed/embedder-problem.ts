import type { EmbedderSettings } from './embedder-settings.ts';
import { endpointProblem } from './endpoint.ts';
import { PROVIDERS } from './providers.ts';

/** A setting that cannot be used as it is. */
export interface EmbedderProblem {
  readonly key: 'model' | 'baseUrl' | 'apiKey';
  /** Starts with what was expected; never quotes a key. */
  readonly message: string;
}

type Checked = Pick<EmbedderSettings, 'provider' | 'model' | 'baseUrl' | 'apiKey'>;

/** The first setting that would break a request or send it where nothing may be sent. */
export function embedderProblem(settings: Checked): EmbedderProblem | undefined {
  const { provider, model, baseUrl, apiKey } = settings;
  const { defaultBaseUrl, needsKey } = PROVIDERS[provider];
  if (/\p{Cc}/u.test(model)) {
    return { key: 'model', message: 'expected a name without control characters' };
  }
  // What a provider does not use is not checked: the key in the environment may be another program's.
  if (needsKey && apiKey !== undefined && !isHeaderValue(apiKey)) {
    return { key: 'apiKey', message: 'expected visible ASCII without spaces and line breaks' };
  }
  const message = defaultBaseUrl === null ? undefined : endpointProblem(baseUrl ?? '');
  return message === undefined ? undefined : { key: 'baseUrl', message };
}

/** Whether a key can be sent in a header. */
export function isHeaderValue(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}
