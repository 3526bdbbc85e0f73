import { lstat, realpath } from 'node:fs/promises';
import { join, parse, sep } from 'node:path';

/** A path in two parts: what exists of it, with its links resolved, and what is below that. */
export interface ResolvedPath {
  readonly existing: string;
  readonly rest: string;
}

/** Resolves as much of a path as exists, so that a folder keeps its name when it is created later. */
export async function resolveLinks(path: string): Promise<ResolvedPath> {
  let isForbidden = false;
  try {
    return { existing: await realpath(path), rest: '' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    isForbidden = code !== 'ENOENT';
  }
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const prefix = (length: number): string => join(root, ...names.slice(0, length));
  // Nothing exists below a name that does not: a bisection takes 11 looks at the deepest path.
  let [present, absent] = [0, names.length + 1];
  while (absent - present > 1) {
    const middle = (present + absent) >> 1;
    if (await exists(prefix(middle))) present = middle;
    else absent = middle;
  }
  const given = prefix(present);
  // A loop of links or a forbidden folder has no better name than the one given, nor has a link to nowhere.
  const existing = isForbidden ? given : await realpath(given).catch(() => given);
  return { existing, rest: join(...names.slice(present)) };
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
