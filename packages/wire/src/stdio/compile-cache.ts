import { statSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolderSync } from './make-folder.ts';

/** What Node 22.8 and later have; the types are those of Node 20. */
interface CompileCache {
  enableCompileCache?(directory: string): unknown;
  getCompileCacheDir?(): string | undefined;
}

/**
 * Lets Node reuse compiled code in later starts: call it before importing the code to cache. The files are in
 * `$XDG_CACHE_HOME/tincan/compiled`, by default `~/.cache/tincan/compiled`. Without a place that only this user
 * can write to, on Node 20, and with `NODE_DISABLE_COMPILE_CACHE=1`, it does nothing.
 */
export function enableCompileCache(env: NodeJS.ProcessEnv = process.env): void {
  const { enableCompileCache: enable, getCompileCacheDir: current } = nodeModule as CompileCache;
  const isDecided = env['NODE_DISABLE_COMPILE_CACHE'] || current?.() !== undefined;
  if (enable === undefined || isDecided) return;
  const directory = privateDirectory(env['XDG_CACHE_HOME']);
  if (directory !== undefined) enable(directory);
}

/** V8 runs cached code without checking it against the source, so nobody else may write here. */
function privateDirectory(cacheHome: string | undefined): string | undefined {
  try {
    const parent = cacheHome && isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache');
    if (!isAbsolute(parent)) return undefined;
    const directory = join(parent, 'tincan', 'compiled');
    makeFolderSync(directory);
    const { uid, mode } = statSync(directory);
    const isPrivate = uid === process.getuid?.() && (mode & 0o022) === 0;
    return isPrivate || process.platform === 'win32' ? directory : undefined;
  } catch {
    // A read-only or missing home: every start compiles.
    return undefined;
  }
}
