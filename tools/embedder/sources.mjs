/** Unpacked Debian packages the tools read; each is checked by hash before it is used. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './recipe.mjs';

/**
 * The packages and versions the committed data was made from. The Python among them has permissive licences, is for
 * every architecture alike, and holds no function of CoSQA, which is measured with (bench/retrieval).
 */
export const packages = JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'));

/** Folder of a package's files, fetched and unpacked on first use. */
export function unpacked(name) {
  const folder = new URL(`debian/${name}/`, cacheFolder);
  const root = new URL('root/', folder);
  if (existsSync(root)) return root;
  mkdirSync(folder, { recursive: true });
  const { version, sha256 } = packages[name];
  execFileSync('apt-get', ['download', `${name}=${version}`], { cwd: folder, stdio: 'ignore' });
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
  if (archive === undefined)
    throw new Error(`expected \`apt-get download ${name}\` to leave a .deb`);
  const path = fileURLToPath(new URL(encodeURIComponent(archive), folder));
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (hash !== sha256)
    throw new Error(`expected sha256 \`${sha256}\` of \`${name}\`, got \`${hash}\``);
  execFileSync('dpkg-deb', ['-x', path, fileURLToPath(root)]);
  return root;
}
