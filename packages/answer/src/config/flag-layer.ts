import { nearestName } from 'tincan-wire';
import { type Assignment, badValue, type Layer } from './assignment.ts';
import type { ConfigIssue } from './config-error.ts';
import { type Setting, settings } from './settings.ts';

/** What the command line says: the settings it carries, and everything else left in order. */
export interface ParsedFlags extends Layer {
  /** Configuration file named with `--config`. */
  readonly configFile?: string;
  /** Flags without a setting, such as `--stdio`; each known to the caller. */
  readonly switches: ReadonlySet<string>;
  /** Words that are neither flags nor their values. */
  readonly words: readonly string[];
}

const byFlag: ReadonlyMap<string, Setting> = new Map(
  settings.flatMap((one) => (one.flag === undefined ? [] : [[one.flag, one]])),
);

/** Reads the flags; `switches` are the ones the calling program adds, short forms included. */
export function readFlagLayer(
  argv: readonly string[],
  switches: readonly string[] = [],
): ParsedFlags {
  const reader = new FlagReader(argv, switches);
  reader.read();
  return reader;
}

class FlagReader implements ParsedFlags {
  readonly assignments: Assignment[] = [];
  readonly issues: ConfigIssue[] = [];
  readonly switches = new Set<string>();
  readonly words: string[] = [];
  configFile?: string;
  readonly #rest: string[];
  readonly #known: readonly string[];

  constructor(argv: readonly string[], known: readonly string[]) {
    this.#rest = [...argv];
    this.#known = known;
  }

  read(): void {
    for (let token = this.#rest.shift(); token !== undefined; token = this.#rest.shift()) {
      if (token === '--') {
        this.words.push(...this.#rest.splice(0));
      } else if (token.startsWith('-') && token !== '-') {
        // Only the first `=` separates: values may hold more of them.
        const cut = token.indexOf('=');
        this.#flag(
          cut < 0 ? token : token.slice(0, cut),
          cut < 0 ? undefined : token.slice(cut + 1),
        );
      } else {
        this.words.push(token);
      }
    }
  }

  #flag(name: string, inline: string | undefined): void {
    const setting = byFlag.get(name);
    if (setting !== undefined) this.#setting(setting, name, inline);
    else if (name === '--config') this.configFile = this.#value(name, inline) ?? '';
    else if (name === '--set') this.#set(this.#value(name, inline));
    else if (name === '--debug') this.#debug(inline);
    else if (this.#known.includes(name) && inline === undefined) this.switches.add(name);
    else this.#unknown(name);
  }

  #setting(setting: Setting, name: string, inline: string | undefined): void {
    const isToggle = typeof setting.fallback === 'boolean';
    const turnsOff = name.startsWith('--no-');
    const raw = isToggle ? (inline ?? String(!turnsOff)) : this.#value(name, inline);
    this.#assign(setting, name, raw);
  }

  #set(pair: string | undefined): void {
    if (pair === undefined) return;
    const cut = pair.indexOf('=');
    const path = cut < 0 ? pair : pair.slice(0, cut);
    const setting = settings.find((one) => one.path === path);
    if (setting !== undefined && cut > 0) {
      this.#assign(setting, '--set', pair.slice(cut + 1));
      return;
    }
    const near = nearestName(
      path,
      settings.map((one) => one.path),
    );
    const problem = setting === undefined ? 'unknown key' : 'expected `key=value`';
    this.issues.push({
      where: '--set',
      key: path,
      problem,
      ...(near !== undefined && near !== path && { nearest: near }),
    });
  }

  // The value is optional: a following word that is no flag is the file.
  #debug(inline: string | undefined): void {
    const origin = { from: 'flag', name: '--debug' } as const;
    const next = this.#rest[0];
    const file = inline ?? (next?.startsWith('-') === false ? this.#rest.shift() : undefined);
    this.assignments.push({ path: 'server.debug', value: true, origin });
    if (file) this.assignments.push({ path: 'server.debug_file', value: file, origin });
  }

  #assign(setting: Setting, name: string, raw: string | undefined): void {
    if (raw === undefined) return;
    const value = setting.expects.fromText(raw);
    if (!setting.expects.accepts(value)) {
      this.issues.push(badValue(setting, raw, { where: name }));
      return;
    }
    this.assignments.push({ path: setting.path, value, origin: { from: 'flag', name } });
  }

  #value(name: string, inline: string | undefined): string | undefined {
    const value = inline ?? this.#rest.shift();
    if (value === undefined || value === '') {
      this.issues.push({ where: name, problem: 'expected a value, got none' });
      return undefined;
    }
    return value;
  }

  #unknown(name: string): void {
    const names = [...byFlag.keys(), ...this.#known, '--config', '--set', '--debug'];
    const near = nearestName(name, names);
    this.issues.push({
      where: name,
      problem: 'unknown option',
      ...(near !== undefined && { nearest: near }),
    });
  }
}
