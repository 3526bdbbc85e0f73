import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

interface Import {
  readonly file: string;
  /** A path below `src/`, or the name of a package. */
  readonly target: string;
  readonly isTypeOnly: boolean;
}

interface Layer {
  /** Paths below `src/` whose code it may use, besides its own. */
  readonly code: readonly string[];
  /** Paths whose types it may use in addition. */
  readonly types: readonly string[];
  /** Node modules whose code it may use; types of Node are free. `true` stands for all of them. */
  readonly node: readonly string[] | true;
}

const BASE = ['errors.ts', 'check-option.ts', 'nearest-name.ts', 'settles-within.ts'];

/** Who may use whom. The key is the folder; `.` are the files right below `src/`, but for the index. */
const LAYERS: Readonly<Record<string, Layer>> = {
  '.': { code: BASE, types: [], node: [] },
  framing: { code: BASE, types: [], node: ['node:buffer'] },
  jsonrpc: { code: [...BASE, 'framing/'], types: ['tap/tap.ts'], node: ['node:events'] },
  redact: { code: BASE, types: [], node: [] },
  tap: {
    code: [...BASE, 'jsonrpc/dialect.ts', 'jsonrpc/error-object.ts', 'redact/'],
    types: ['framing/framing.ts', 'jsonrpc/'],
    node: ['node:fs', 'node:fs/promises', 'node:util'],
  },
  stdio: { code: [...BASE, 'framing/', 'jsonrpc/', 'redact/', 'tap/'], types: [], node: true },
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
/** The entry points, which re-export what a layer offers. */
const ENTRIES = ['index.ts', 'redact.ts'];
const layered = files.filter((file) => !ENTRIES.includes(file));
const imports = files.flatMap((file) => importsOf(file, source(file)));

function source(file: string): string {
  return readFileSync(`${SRC}/${file}`, 'utf8');
}

/** Every import and re-export of a module, static or dynamic. */
function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)(?<what>\s+(?:type\s+)?(?:[\w*\s,]+|[\w\s,]*\{[^}]*\})\s*from)?\s*'(?<target>[^']+)'/gm,
  );
  const dynamic = text.matchAll(/\b(?:import|require)\(\s*(?<what>)['"`](?<target>[^'"`]+)['"`]/g);
  return [...statements, ...dynamic].map(({ groups = {} }) => {
    const { what = '', target = '' } = groups;
    const isRelative = target.startsWith('.');
    return {
      file,
      target: isRelative ? posix.join(posix.dirname(file), target) : target,
      isTypeOnly: isTypeOnly(what),
    };
  });
}

function isTypeOnly(what: string): boolean {
  if (/^\s+type\b(?!\s*,)/.test(what)) return true;
  const names = /\{(?<names>[^}]*)\}/.exec(what)?.groups?.['names']?.split(',') ?? [];
  const given = names.map((name) => name.trim()).filter((name) => name !== '');
  return given.length > 0 && given.every((name) => name.startsWith('type '));
}

function problemOf({ file, target, isTypeOnly }: Import): string | undefined {
  const folder = posix.dirname(file);
  const layer = LAYERS[folder];
  if (layer === undefined) return `${file} is in no known layer`;
  const { code, types, node } = layer;
  if (target.startsWith('node:')) {
    const isAllowed = isTypeOnly || node === true || node.includes(target);
    return isAllowed ? undefined : `${file} uses ${target}`;
  }
  const own = folder === '.' ? [] : [`${folder}/`];
  const allowed = [...own, ...code, ...(isTypeOnly ? types : [])];
  const isAllowed = allowed.some((path) => target === path || startsWithFolder(target, path));
  return isAllowed ? undefined : `${file} uses ${target}`;
}

function startsWithFolder(target: string, path: string): boolean {
  return path.endsWith('/') && target.startsWith(path);
}

describe('layers of the package', () => {
  it('reads the imports of every file', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(imports.length).toBeGreaterThan(100);
  });

  it.each(layered)('%s uses only what its layer may use', (file) => {
    const problems = imports.filter((item) => item.file === file).map(problemOf);
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it.each([
    ['framing/a.ts', "import { Peer } from '../jsonrpc/peer.ts';"],
    ['framing/a.ts', "import { readFileSync } from 'node:fs';"],
    ['framing/a.ts', "const fs = await import('node:fs');"],
    ['jsonrpc/a.ts', "import { serveStdio } from '../stdio/serve-stdio.ts';"],
    ['jsonrpc/a.ts', "import { Recorder } from '../tap/recorder.ts';"],
    ['jsonrpc/a.ts', "import { spawn } from 'node:child_process';"],
    ['jsonrpc/a.ts', "import {\n  spawn,\n  type ChildProcess,\n} from 'node:child_process';"],
    ['tap/a.ts', "export { Connection } from '../stdio/connection.ts';"],
    ['errors.ts', "import { Peer } from './jsonrpc/peer.ts';"],
    ['stdio/a.ts', "import ws from 'ws';"],
    ['other/a.ts', "import { WireError } from '../errors.ts';"],
  ])('finds the breach in %s: %s', (file, text) => {
    expect(importsOf(file, text).map(problemOf)).not.toContain(undefined);
  });

  it('has no circle of modules at run time', () => {
    const uses = new Map<string, string[]>();
    for (const { file, target, isTypeOnly } of imports) {
      if (!isTypeOnly) uses.set(file, [...(uses.get(file) ?? []), target]);
    }
    const circle = (file: string, path: readonly string[]): string[] | undefined => {
      if (path.includes(file)) return [...path, file];
      for (const next of uses.get(file) ?? []) {
        const found = circle(next, [...path, file]);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    expect(files.map((file) => circle(file, [])).find((found) => found)).toBeUndefined();
  });

  it('touches the process, its streams and its environment in stdio alone', () => {
    const touching = layered.filter((file) =>
      /\bprocess\.(?:stdin|stdout|stderr|env|argv|exit|kill|on|once)\b/.test(source(file)),
    );
    expect(touching.map((file) => posix.dirname(file))).toEqual(touching.map(() => 'stdio'));
    expect(touching).not.toEqual([]);
  });
});
