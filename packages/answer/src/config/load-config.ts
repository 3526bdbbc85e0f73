import type { Assignment, Layer, Origin } from './assignment.ts';
import type { AnswerConfig } from './config.ts';
import { ConfigError, type ConfigIssue } from './config-error.ts';
import { type Environment, readEnvironmentLayer } from './environment-layer.ts';
import { settings } from './settings.ts';

/** Everything `loadConfig` needs from the outside. */
export interface LoadOptions {
  readonly env?: Environment;
  /** Home directory, for `~` and the default file. */
  readonly home: string;
  /** File named on the command line; it must exist. */
  readonly configFile?: string;
  readonly flags?: Layer;
  readFile(path: string): Promise<string>;
}

/** A usable configuration, with the origin of each value and what was left out on the way. */
export interface LoadedConfig {
  readonly config: AnswerConfig;
  /** Value and origin by dotted path, in the order of the settings table. */
  readonly values: ReadonlyMap<string, Assignment>;
  /** The file that was read, if any. */
  readonly file?: string;
  readonly warnings: readonly ConfigIssue[];
}

/** Composes defaults, file, variables and flags, later ones winning; throws `ConfigError`. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env = {}, flags = { assignments: [], issues: [] } } = options;
  const yaml = await readFileLayer(options);
  const environment = readEnvironmentLayer(env);
  const values = new Map<string, Assignment>();
  for (const { path, fallback } of settings) {
    values.set(path, { path, value: fallback, origin: { from: 'default' } });
  }
  for (const layer of [yaml, environment, flags]) {
    for (const assignment of layer.assignments) values.set(assignment.path, assignment);
  }
  expandHome(values, options.home);
  const issues = [...yaml.issues, ...flags.issues, ...contradictions(values)];
  if (issues.length > 0) throw new ConfigError(issues);
  return {
    config: assemble(values),
    values,
    warnings: environment.issues,
    ...(yaml.file !== undefined && { file: yaml.file }),
  };
}

/** Where the file is looked for when none is named. */
export function defaultConfigFile(home: string, env: Environment = {}): string {
  return `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/tincan/answer.yaml`;
}

async function readFileLayer(options: LoadOptions): Promise<Layer & { file?: string }> {
  const { configFile, home, env } = options;
  const file = withHome(configFile ?? defaultConfigFile(home, env), home);
  let source: string;
  try {
    source = await options.readFile(file);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isAbsent && configFile === undefined) return { assignments: [], issues: [] };
    const reason = error instanceof Error ? error.message : String(error);
    const problem = isAbsent ? 'the file does not exist' : `cannot be read: ${reason}`;
    return { assignments: [], issues: [{ where: file, problem }] };
  }
  // Most sessions have no file, and every module costs start-up time.
  const { readYamlLayer } = await import('./yaml-layer.ts');
  return { ...(await readYamlLayer(file, source)), file };
}

const paths = ['policy.system.path', 'cache.dir', 'cassette', 'server.debug_file'];

function expandHome(values: Map<string, Assignment>, home: string): void {
  for (const path of paths) {
    const one = values.get(path);
    if (typeof one?.value === 'string') {
      values.set(path, { ...one, value: withHome(one.value, home) });
    }
  }
}

function withHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

// Pairs that make sense only together; each names the key that is missing.
const companions = [
  ['policy.system.source', 'file', 'policy.system.path', 'a file path'],
  ['replay', 'record', 'cassette', 'a file to record to'],
  ['replay', 'replay', 'cassette', 'a file to replay'],
  ['replay', 'auto', 'cassette', 'a file to replay and record to'],
] as const;

function contradictions(values: ReadonlyMap<string, Assignment>): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  for (const [path, value, needed, phrase] of companions) {
    const one = values.get(path);
    if (one?.value !== value || values.get(needed)?.value !== null) continue;
    const problem = `expected ${phrase} because \`${path}\` is \`${value}\`, got none`;
    issues.push({ ...placeOf(one.origin), key: needed, problem });
  }
  const cap = values.get('budget.max_cost');
  const prices = values.get('budget.prices')?.value;
  if (cap && cap.value !== null && Object.keys(prices ?? {}).length === 0) {
    const problem = 'expected prices because `budget.max_cost` is set, got none';
    issues.push({ ...placeOf(cap.origin), key: 'budget.prices', problem });
  }
  return issues;
}

function placeOf(origin: Origin): Pick<ConfigIssue, 'where' | 'line'> {
  if (origin.from === 'file') return { where: origin.file, line: origin.line };
  return { where: origin.from === 'default' ? 'default' : origin.name };
}

/** Turns dotted snake_case paths into the nested camelCase object; a test holds it to its type. */
function assemble(values: ReadonlyMap<string, Assignment>): AnswerConfig {
  const root: Record<string, unknown> = {};
  for (const { path, value } of values.values()) {
    const names = path.split('.').map(camelCase);
    const last = names.pop() ?? path;
    let node = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Record<string, unknown>;
    }
    node[last] = value;
  }
  const profiles = root['modelProfiles'] as Record<string, Record<string, unknown>>;
  for (const profile of Object.values(profiles)) inherit(profile, profiles['answer'] ?? {});
  return root as unknown as AnswerConfig;
}

/** A profile says only what differs from `answer`. */
function inherit(profile: Record<string, unknown>, base: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(base)) profile[key] ??= value;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
