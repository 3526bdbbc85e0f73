import type { AnswerConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/environment-layer.ts';
import { loadConfig } from '../../src/config/load-config.ts';

/** Reads no file at all. */
export async function noFile(): Promise<string> {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
}

/** The defaults with some settings changed, given by their dotted paths. */
export async function configWith(
  changes: Readonly<Record<string, unknown>> = {},
): Promise<AnswerConfig> {
  const assignments = Object.entries(changes).map(([path, value]) => ({
    path,
    value,
    origin: { from: 'flag', name: 'test' } as const,
  }));
  const { config } = await loadConfig({
    home: '/home/someone',
    readFile: noFile,
    flags: { assignments, issues: [] },
  });
  return config;
}

/** Loads with a file's text, variables and flags. */
export async function load(parts: { yaml?: string; env?: Environment } = {}) {
  const { yaml, env = {} } = parts;
  return loadConfig({
    home: '/home/someone',
    env,
    readFile: yaml === undefined ? noFile : async () => yaml,
  });
}
