import { statSync } from 'node:fs';
import { type EmbedderSettings, isSameEmbedder } from '../embed/embedder-settings.ts';
import { keyOrigin } from '../embed/endpoint.ts';
import { invalidParams } from '../errors.ts';
import { type EmbedderKeys, readConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { replaceFile } from './replace-file.ts';
import { fixedByEnvironment, keyFromFile, resolveEmbedder } from './resolve-embedder.ts';
import type { EmbedderFile } from './settings.ts';

/** The embedder's section of a configuration file, as a running server reads and changes it. */
export function openEmbedderFile(path: string, env: Environment): EmbedderFile {
  const fixed = Object.keys(fixedByEnvironment(env));

  async function save(after: EmbedderSettings): Promise<void> {
    const file = await readConfigFile(path);
    const section = sectionFor(after, { before: file.embedder ?? {}, fixed, env });
    if (!isSameEmbedder(resolveEmbedder(section, env).embedder, after)) {
      throw invalidParams(
        'the change cannot be saved, because environment variables decide other parts of the embedder: set those instead',
        'embedder',
      );
    }
    await replaceFile(path, `${JSON.stringify({ ...file, embedder: section }, null, 2)}\n`);
  }

  return {
    stamp: stampOf(path),
    currentStamp: () => stampOf(path),
    read: async () => resolveEmbedder((await readConfigFile(path)).embedder ?? {}, env),
    save,
  };
}

/**
 * The section that makes `after` the embedder at the next start. It holds nothing that the environment
 * decides, least of all a key; the runtime is the owner's line and stays; a key stays with its origin.
 */
function sectionFor(
  after: EmbedderSettings,
  {
    before,
    fixed,
    env,
  }: {
    readonly before: EmbedderKeys;
    readonly fixed: readonly string[];
    readonly env: Environment;
  },
): EmbedderKeys {
  const { apiKey } = after;
  const section = { ...namesFor(after, { before, fixed }), ...runtimeOf(before) };
  const { environmentKey } = resolveEmbedder(section, env);
  const isEnvironments = apiKey !== undefined && apiKey === environmentKey?.value;
  const key = isEnvironments
    ? keyFromFile(before)
    : apiKey && { value: apiKey, origin: keyOrigin(after) };
  if (!key) return section;
  const withKey = { ...section, apiKey: key.value };
  return keyFromFile(withKey)?.origin === key.origin ? withKey : section;
}

function namesFor(
  { provider, model, dim, baseUrl }: EmbedderSettings,
  { before, fixed }: { readonly before: EmbedderKeys; readonly fixed: readonly string[] },
): EmbedderKeys {
  const { apiKey: _, ...names } = before;
  // No request changes what names a folder, and what the environment says of it stays there.
  if (provider === 'onnx') return names;
  const chosen = { model, ...(dim > 0 ? { dim } : {}), ...(baseUrl === null ? {} : { baseUrl }) };
  // Names of another provider would be read as this one's.
  const kept = before.provider === provider ? names : {};
  return Object.fromEntries([
    ['provider', provider],
    ...Object.entries(chosen).filter(([key]) => !fixed.includes(key)),
    ...Object.entries(kept).filter(([key]) => fixed.includes(key)),
  ]);
}

function runtimeOf({ runtime }: EmbedderKeys): EmbedderKeys {
  return runtime === undefined ? {} : { runtime };
}

/** Differs once the file was replaced or written to. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}
