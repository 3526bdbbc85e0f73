import { existsSync } from 'node:fs';

/**
 * The folder `data/` of this package, looked for upwards from a module: bundled and plain, a module lies
 * at different depths below it.
 */
export function findDataFolder(from: string): URL {
  for (let folder = new URL('./', from); ; ) {
    const candidate = new URL('data/', folder);
    if (existsSync(new URL('static/model.json', candidate))) return candidate;
    const parent = new URL('../', folder);
    // Nothing found: the error of reading names the place where it should have been.
    if (parent.href === folder.href) return new URL('../../../data/', from);
    folder = parent;
  }
}
