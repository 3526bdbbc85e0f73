import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';

type EmbedderKeys = NonNullable<ConfigFile['embedder']>;

/**
 * Writes the embedder's keys into the configuration file, leaving every other key as it is.
 * The file is replaced in one step and readable by its owner alone: it may hold a key.
 */
export async function saveEmbedder(
  configPath: string,
  embedder: EmbedderKeys,
  { fixed = [] }: { readonly fixed?: readonly string[] } = {},
): Promise<void> {
  const file = await readConfigFile(configPath);
  // What the environment decides is none of the file's business, least of all a key.
  const own = Object.entries(embedder).filter(([key]) => !fixed.includes(key));
  const kept = Object.entries(file.embedder ?? {}).filter(([key]) => fixed.includes(key));
  const content = { ...file, embedder: Object.fromEntries([...own, ...kept]) };
  await replaceFile(configPath, `${JSON.stringify(content, null, 2)}\n`);
}

async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new MemoryError('CONFIG', `the configuration \`${path}\` cannot be written`, { cause });
  }
}
