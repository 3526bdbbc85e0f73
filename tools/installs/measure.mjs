// What an installation took: bytes, packages, and packages with install scripts.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/** Looks below a folder, without following links and without the copies in a manager's cache. */
export function measure(folder) {
  const total = { bytes: 0, packages: 0, scripts: 0 };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !path.includes(`${sep}node_modules${sep}`)) continue;
    total.bytes += statSync(path).size;
    if (!isManifest(path)) continue;
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8'));
    total.packages += 1;
    total.scripts += INSTALL_SCRIPTS.some((name) => name in scripts) ? 1 : 0;
  }
  return total;
}

/** Whether a file is the `package.json` of a package rather than of a folder within one. */
function isManifest(path) {
  const parts = path.split(sep);
  const within = parts.slice(parts.lastIndexOf('node_modules') + 1);
  const isScoped = within[0]?.startsWith('@') ?? false;
  return within.length === (isScoped ? 3 : 2) && within.at(-1) === 'package.json';
}
