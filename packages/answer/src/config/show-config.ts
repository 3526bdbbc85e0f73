import type { Origin } from './assignment.ts';
import { describeIssue } from './config-error.ts';
import type { LoadedConfig } from './load-config.ts';

/** What `--show-config` reports; `sources` has the reference server's shape. */
export interface ShownConfig {
  readonly version: string;
  readonly sources: {
    readonly ts_defaults: true;
    readonly yaml?: string;
    readonly env: readonly string[];
    readonly cli: readonly string[];
  };
  /** Nested as in the file, so that it can be pasted into one. */
  readonly effective: Readonly<Record<string, unknown>>;
  /** Origin of each value by dotted path. */
  readonly origins: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** The configuration in effect and where each value came from; credentials in addresses are cut. */
export function showConfig(loaded: LoadedConfig, version: string): ShownConfig {
  const names = { variable: new Set<string>(), flag: new Set<string>() };
  const effective: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const { path, value, origin } of loaded.values.values()) {
    if (origin.from === 'variable' || origin.from === 'flag') names[origin.from].add(origin.name);
    place(effective, path, path === 'openai.base_url' ? withoutCredentials(String(value)) : value);
    origins[path] = describeOrigin(origin);
  }
  return {
    version,
    sources: {
      ts_defaults: true,
      ...(loaded.file !== undefined && { yaml: loaded.file }),
      env: [...names.variable],
      cli: [...names.flag],
    },
    effective,
    origins,
    warnings: loaded.warnings.map(describeIssue),
  };
}

/** The same as lines for a person: one setting each, changed ones marked. */
export function renderConfig(shown: ShownConfig): string {
  const rows = Object.entries(shown.origins).map(([path, origin]) => {
    const value = JSON.stringify(pick(shown.effective, path));
    return { left: `${path}: ${value}`, origin };
  });
  const width = Math.min(60, Math.max(...rows.map(({ left }) => left.length)));
  const lines = rows.map(({ left, origin }) => {
    const mark = origin === 'default' ? ' ' : '*';
    return `${mark} ${left.padEnd(width)}  # ${origin}`;
  });
  const head = `tincan-answer ${shown.version}, file: ${shown.sources.yaml ?? 'none'}`;
  return [head, ...lines, ...shown.warnings.map((text) => `warning: ${text}`), ''].join('\n');
}

function describeOrigin(origin: Origin): string {
  if (origin.from === 'default') return 'default';
  if (origin.from === 'file') return `${origin.file}:${origin.line}`;
  return origin.from === 'flag' ? `flag ${origin.name}` : `variable ${origin.name}`;
}

function place(root: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let node = root;
  for (const name of names) {
    node[name] ??= {};
    node = node[name] as Record<string, unknown>;
  }
  node[last] = value;
}

function pick(root: Readonly<Record<string, unknown>>, path: string): unknown {
  let node: unknown = root;
  for (const name of path.split('.')) node = (node as Record<string, unknown>)[name];
  return node;
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}
