import { nearestName } from 'tincan-wire';
import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { type Assignment, badValue, type Layer } from './assignment.ts';
import { type ConfigIssue, quoteValue } from './config-error.ts';
import { removedKeys, type Setting, settings } from './settings.ts';

/** Reads a configuration file's text; every problem is reported with its line. */
export async function readYamlLayer(file: string, source: string): Promise<Layer> {
  // Loaded here, not at the top: most sessions have no file, and the parser costs start-up time.
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(source, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const issues = document.errors.map((error) => ({
      where: file,
      line: lines.linePos(error.pos[0]).line,
      problem: `expected YAML: ${lowerFirst(error.message)}`,
    }));
    return { assignments: [], issues };
  }
  const walk = new YamlWalk(yaml, file, document, lines);
  walk.section('', document.contents, 1);
  return { assignments: walk.assignments, issues: walk.issues };
}

const byPath: ReadonlyMap<string, Setting> = new Map(settings.map((one) => [one.path, one]));

class YamlWalk {
  readonly assignments: Assignment[] = [];
  readonly issues: ConfigIssue[] = [];
  readonly #yaml: typeof import('yaml');
  readonly #file: string;
  readonly #document: Document;
  readonly #lines: LineCounter;

  constructor(
    yaml: typeof import('yaml'),
    file: string,
    document: Document,
    lines: InstanceType<typeof LineCounter>,
  ) {
    this.#yaml = yaml;
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
  }

  /** Walks a mapping; an empty section sets nothing, as when all its lines are commented out. */
  section(path: string, node: unknown, line: number): void {
    const resolved = this.#yaml.isAlias(node) ? node.resolve(this.#document) : node;
    if (this.#isEmpty(resolved)) return;
    if (!this.#yaml.isMap(resolved)) {
      const problem = `expected a mapping, got ${quoteValue(this.#plain(resolved))}`;
      this.#report(line, problem, path === '' ? {} : { key: path });
      return;
    }
    for (const pair of (resolved as YAMLMap).items) this.#pair(path, pair, line);
  }

  #pair(parent: string, { key, value }: Pair, parentLine: number): void {
    const name = String(this.#plain(key));
    const path = parent === '' ? name : `${parent}.${name}`;
    const line = this.#lineOf(key) ?? parentLine;
    const setting = byPath.get(path);
    if (setting !== undefined) this.#leaf(setting, value, line);
    else if (isSection(path)) this.section(path, value, line);
    else this.#unknown(parent, name, line);
  }

  #unknown(parent: string, name: string, line: number): void {
    const key = parent === '' ? name : `${parent}.${name}`;
    const removed = Object.hasOwn(removedKeys, key) ? removedKeys[key] : undefined;
    const near = removed === undefined ? nearestKey(parent, name) : undefined;
    const problem = removed === undefined ? 'unknown key' : `this key was removed: ${removed}`;
    this.#report(line, problem, { key, ...(near !== undefined && { nearest: near }) });
  }

  #leaf(setting: Setting, node: unknown, line: number): void {
    const value = this.#plain(node);
    if (!setting.expects.accepts(value)) {
      this.issues.push(badValue(setting, value, { where: this.#file, line }));
      return;
    }
    const origin = { from: 'file', file: this.#file, line } as const;
    this.assignments.push({ path: setting.path, value, origin });
  }

  #report(line: number, problem: string, rest: Pick<ConfigIssue, 'key' | 'nearest'>): void {
    this.issues.push({ where: this.#file, line, problem, ...rest });
  }

  #isEmpty(node: unknown): boolean {
    return (
      node === null || node === undefined || (this.#yaml.isScalar(node) && node.value === null)
    );
  }

  #plain(node: unknown): unknown {
    if (node === null || node === undefined) return null;
    return this.#yaml.isNode(node) ? (node as Node).toJS(this.#document) : node;
  }

  #lineOf(node: unknown): number | undefined {
    const start = this.#yaml.isNode(node) ? (node as Node).range?.[0] : undefined;
    return start === undefined ? undefined : this.#lines.linePos(start).line;
  }
}

function isSection(path: string): boolean {
  return settings.some((one) => one.path.startsWith(`${path}.`));
}

/** A sibling spelt alike, else the same name where it really belongs. */
function nearestKey(parent: string, name: string): string | undefined {
  const prefix = parent === '' ? '' : `${parent}.`;
  const siblings = new Set<string>();
  for (const { path } of settings) {
    if (path.startsWith(prefix)) siblings.add(path.slice(prefix.length).split('.')[0] ?? '');
  }
  const sibling = nearestName(name, siblings);
  if (sibling !== undefined) return `${prefix}${sibling}`;
  return settings.find(({ path }) => path.endsWith(`.${name}`) || path === name)?.path;
}

function lowerFirst(message: string): string {
  return `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
}
