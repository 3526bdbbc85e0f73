import { homedir } from 'node:os';
import { join } from 'node:path';
import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { isProviderName, PROVIDERS, type ProviderName } from '../embed/providers.ts';
import { MemoryError } from '../errors.ts';
import { isTimeZone } from '../search/calendar.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { expandPath, type PathBase } from './expand-path.ts';
import type { Settings } from './settings.ts';

/** Environment variables as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where to look for the configuration. */
export interface LoadOptions {
  readonly env?: Environment;
  readonly home?: string;
  readonly cwd?: string;
  /** Wins over `TINCAN_HOME`. */
  readonly configPath?: string | undefined;
}

/** Variables that decide an embedder key, whatever the file says. */
const EMBEDDER_VARIABLES = {
  provider: 'TINCAN_EMBEDDER_PROVIDER',
  model: 'TINCAN_EMBEDDER_MODEL',
  baseUrl: 'TINCAN_EMBEDDER_BASE_URL',
  apiKey: 'OPENAI_API_KEY',
} as const;

/** The configuration in force: defaults, the file over them, the environment over both. */
export async function loadSettings(options: LoadOptions = {}): Promise<Settings> {
  const { env = {}, home = homedir(), cwd = process.cwd() } = options;
  const base = { home, cwd };
  const folder = expandPath(env['TINCAN_HOME'] || '~/.local-mcp-memory', base);
  const configPath =
    options.configPath === undefined
      ? join(folder, 'config.json')
      : expandPath(options.configPath, base);
  const file = await readConfigFile(configPath);
  const dataDir =
    env['TINCAN_HOME'] || file.paths?.dataDir === undefined
      ? join(folder, 'data')
      : expandPath(file.paths.dataDir, base);
  return {
    transportDefaults: {
      defaultTransport: file.transportDefaults?.defaultTransport ?? 'stdio',
    },
    embedder: embedderSettings(file, env),
    store: storeSettings(file, env, { ...base, dataDir }),
    paths: { configPath, dataDir },
    secrets: file.secrets ?? 'redact',
    search: { timeZone: timeZone(file, env) },
    http: {
      host: file.http?.host ?? '127.0.0.1',
      port: file.http?.port ?? 8765,
      token: env['TINCAN_TOKEN'] || file.http?.token,
      allowedHosts: file.http?.allowedHosts ?? [],
      allowedOrigins: file.http?.allowedOrigins ?? [],
    },
    fixedByEnvironment: fixedBy(env),
  };
}

/** Settings of an embedder from its keys, each provider's own defaults filling the gaps. */
export function completeEmbedder(
  keys: Omit<NonNullable<ConfigFile['embedder']>, 'provider'> & {
    readonly provider: ProviderName;
  },
): EmbedderSettings {
  const { defaultModel, defaultBaseUrl } = PROVIDERS[keys.provider];
  return {
    provider: keys.provider,
    model: keys.model ?? defaultModel,
    dim: keys.dim ?? 0,
    baseUrl: keys.baseUrl || defaultBaseUrl,
    apiKey: keys.apiKey || undefined,
  };
}

function embedderSettings(file: ConfigFile, env: Environment): EmbedderSettings {
  const keys = file.embedder ?? {};
  const provider = env[EMBEDDER_VARIABLES.provider] || keys.provider || 'local';
  if (!isProviderName(provider)) {
    const names = Object.keys(PROVIDERS).join(', ');
    throw new MemoryError(
      'CONFIG',
      `expected \`${EMBEDDER_VARIABLES.provider}\` to be one of ${names}, got \`${provider}\``,
    );
  }
  // Another provider than the file's takes none of the file's model names.
  const own = provider === (keys.provider ?? 'local') ? keys : {};
  const model = env[EMBEDDER_VARIABLES.model] || own.model;
  const baseUrl = env[EMBEDDER_VARIABLES.baseUrl] || own.baseUrl;
  const apiKey = env[EMBEDDER_VARIABLES.apiKey] || keys.apiKey;
  return completeEmbedder({
    provider,
    ...(model === undefined ? {} : { model }),
    ...(own.dim === undefined ? {} : { dim: own.dim }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
}

function timeZone(file: ConfigFile, env: Environment): string {
  const given = env['TINCAN_TIME_ZONE'];
  const name = given || file.search?.timeZone || 'UTC';
  if (isTimeZone(name)) return name;
  const key = given ? 'TINCAN_TIME_ZONE' : 'search.timeZone';
  throw new MemoryError(
    'CONFIG',
    `expected \`${key}\` to be an IANA time zone such as \`Europe/Berlin\`, got \`${name}\``,
  );
}

function storeSettings(
  file: ConfigFile,
  env: Environment,
  base: PathBase & { readonly dataDir: string },
): Settings['store'] {
  const { type = 'sqlite', path, url = null } = file.store ?? {};
  if (type === 'memory') return { type, path: null, url: null };
  const chosen = env['TINCAN_STORE_PATH'] || path;
  return { type, path: chosen ? expandPath(chosen, base) : join(base.dataDir, 'memory.db'), url };
}

function fixedBy(env: Environment): Settings['fixedByEnvironment'] {
  const fixed = Object.entries(EMBEDDER_VARIABLES).filter(([, variable]) => env[variable]);
  return Object.fromEntries(fixed);
}
