import { embedderProblem } from '../embed/embedder-problem.ts';
import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { keyOrigin, OPENAI_ORIGIN } from '../embed/endpoint.ts';
import { isProviderName, PROVIDERS, type ProviderName } from '../embed/providers.ts';
import { MemoryError } from '../errors.ts';
import type { EmbedderKeys } from './config-file.ts';
import type { Environment } from './environment.ts';
import type { BoundKey, Settings } from './settings.ts';

/** Variables that decide an embedder key, whatever the file says. */
const VARIABLES = {
  provider: 'TINCAN_EMBEDDER_PROVIDER',
  model: 'TINCAN_EMBEDDER_MODEL',
  baseUrl: 'TINCAN_EMBEDDER_BASE_URL',
  runtime: 'TINCAN_EMBEDDER_RUNTIME',
} as const;
const KEY_VARIABLE = 'OPENAI_API_KEY';

/** The embedder of a file's section and the environment over it. */
export function resolveEmbedder(
  keys: EmbedderKeys,
  env: Environment,
): Pick<Settings, 'embedder' | 'environmentKey'> {
  const provider = providerOf(keys, env);
  // Another provider than the file's takes none of the file's names.
  const own = (keys.provider ?? 'local') === provider ? keys : {};
  const baseUrl = env[VARIABLES.baseUrl] || own.baseUrl;
  const endpoint = { provider, baseUrl };
  const environmentKey = keyFromEnvironment(env, { endpoint, own });
  const known = [environmentKey, keyFromFile(keys)];
  const embedder = completeEmbedder({
    provider,
    model: env[VARIABLES.model] || own.model,
    dim: own.dim,
    baseUrl,
    // A key is for one origin: any other goes without.
    apiKey: known.find((key) => key?.origin === keyOrigin(endpoint))?.value,
    runtime: env[VARIABLES.runtime] || keys.runtime,
  });
  assertUsable(embedder, env);
  return { embedder, environmentKey };
}

/** Settings of an embedder from its keys, each provider's own defaults filling the gaps. */
export function completeEmbedder(
  keys: { readonly [Key in keyof EmbedderSettings]: EmbedderSettings[Key] | undefined } & {
    readonly provider: ProviderName;
  },
): EmbedderSettings {
  const { defaultModel, defaultBaseUrl } = PROVIDERS[keys.provider];
  return {
    provider: keys.provider,
    model: keys.model ?? defaultModel,
    dim: keys.dim ?? 0,
    baseUrl: keys.baseUrl || defaultBaseUrl,
    apiKey: keys.apiKey,
    ...(keys.runtime === undefined ? {} : { runtime: keys.runtime }),
  };
}

/** Embedder keys that the environment decides, with the variable that does. */
export function fixedByEnvironment(env: Environment): Settings['fixedByEnvironment'] {
  return Object.fromEntries(Object.entries(VARIABLES).filter(([, variable]) => env[variable]));
}

/** The key in a file's section, for the address that stands beside it. */
export function keyFromFile({ provider, baseUrl, apiKey }: EmbedderKeys): BoundKey | undefined {
  if (!apiKey) return undefined;
  return { value: apiKey, origin: keyOrigin({ provider: provider ?? 'local', baseUrl }) };
}

/**
 * The key in the environment is for OpenAI, or for the address configured beside it. An address in the file
 * that has its own key is not: `set_config` may have written both.
 */
function keyFromEnvironment(
  env: Environment,
  {
    endpoint,
    own,
  }: { readonly endpoint: Parameters<typeof keyOrigin>[0]; readonly own: EmbedderKeys },
): BoundKey | undefined {
  const value = env[KEY_VARIABLE];
  if (!value) return undefined;
  const isBeside = env[VARIABLES.baseUrl] || (own.baseUrl && !own.apiKey);
  const takesKey = PROVIDERS[endpoint.provider].needsKey;
  return { value, origin: isBeside && takesKey ? keyOrigin(endpoint) : OPENAI_ORIGIN };
}

function providerOf(keys: EmbedderKeys, env: Environment): ProviderName {
  const provider = env[VARIABLES.provider] || keys.provider || 'local';
  if (isProviderName(provider)) return provider;
  const names = Object.keys(PROVIDERS).join(', ');
  throw new MemoryError(
    'CONFIG',
    `expected \`${VARIABLES.provider}\` to be one of ${names}, got \`${provider}\``,
  );
}

function assertUsable(embedder: EmbedderSettings, env: Environment): void {
  const problem = embedderProblem(embedder);
  if (problem === undefined) return;
  const { key, message } = problem;
  const variable = key === 'apiKey' ? KEY_VARIABLE : VARIABLES[key];
  const place = env[variable] ? `\`${variable}\`` : `\`embedder.${key}\` in the configuration`;
  throw new MemoryError('CONFIG', `${place}: ${message}`);
}
