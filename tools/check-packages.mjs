// Looks at each package as npm would publish it: publint for its manifest, attw for its types, and here that
// nothing goes along that belongs to this machine.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
let failures = 0;

for (const name of readdirSync(`${root}/packages`)) {
  const folder = `${root}/packages/${name}`;
  const { private: isPrivate } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (isPrivate) continue;
  run('publint', [folder, '--strict']);
  run('attw', ['--pack', folder, '--profile', 'esm-only']);
  checkFiles(folder);
}
process.exitCode = Math.min(1, failures);

/** What V8 kept for a faster start is of use to nobody else. */
function checkFiles(folder) {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(stdout);
  const foreign = files.filter(({ path }) => /\.cache(?:\.\d+)?$/.test(path));
  for (const { path } of foreign) console.error(`${folder} would publish ${path}`);
  failures += foreign.length;
}

function run(tool, args) {
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(tool, args, { cwd: root, stdio: 'inherit', shell });
  if (error !== undefined) console.error(`could not run ${tool}: ${error.message}`);
  if (status !== 0) failures++;
}
