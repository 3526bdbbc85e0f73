import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '../errors.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { openEmbedderFile } from './embedder-file.ts';
import type { Environment } from './environment.ts';
import { expandPath, type PathBase } from './expand-path.ts';
import { fixedByEnvironment, resolveEmbedder } from './resolve-embedder.ts';
import type { Settings } from './settings.ts';

/** Where to look for the configuration. */
export interface LoadOptions {
  readonly env?: Environment;
  readonly home?: string;
  readonly cwd?: string;
  /** Wins over `TINCAN_HOME`; the file must exist. */
  readonly configPath?: string | undefined;
}

/** The configuration in force: defaults, the file over them, the environment over both. */
export async function loadSettings(options: LoadOptions = {}): Promise<Settings> {
  const { env = {}, home = homedir(), cwd = process.cwd() } = options;
  const base = { home, cwd };
  const folder = expandPath(env['TINCAN_HOME'] || '~/.local-mcp-memory', base);
  const configPath =
    options.configPath === undefined
      ? join(folder, 'config.json')
      : expandPath(options.configPath, base);
  if (options.configPath !== undefined && !existsSync(configPath)) throw noSuchFile(configPath);
  // Before the file is read: what another process writes meanwhile is noticed later.
  const embedderFile = openEmbedderFile(configPath, env);
  const file = await readConfigFile(configPath);
  const dataDir =
    env['TINCAN_HOME'] || file.paths?.dataDir === undefined
      ? join(folder, 'data')
      : expandPath(file.paths.dataDir, base);
  return {
    transportDefaults: {
      defaultTransport: file.transportDefaults?.defaultTransport ?? 'stdio',
    },
    ...resolveEmbedder(file.embedder ?? {}, env),
    embedderFile,
    store: storeSettings(file, env, { ...base, dataDir }),
    paths: { configPath, dataDir },
    secrets: file.secrets ?? 'redact',
    http: {
      host: file.http?.host ?? '127.0.0.1',
      port: file.http?.port ?? 8765,
      token: env['TINCAN_TOKEN'] || file.http?.token,
      allowedHosts: file.http?.allowedHosts ?? [],
      allowedOrigins: file.http?.allowedOrigins ?? [],
    },
    fixedByEnvironment: fixedByEnvironment(env),
  };
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

/** A file that was named and is not there is a mistake in the name more often than a wish for defaults. */
function noSuchFile(configPath: string): MemoryError {
  const repair = 'correct the path, write `{}` into a new file there, or leave out `--config`';
  return new MemoryError(
    'CONFIG',
    `the configuration \`${configPath}\` does not exist: ${repair}`,
    { data: { configPath, repair } },
  );
}
