// Checks each package as npm would publish it: publint its manifest, attw its types.

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
}
process.exitCode = Math.min(1, failures);

function run(tool, args) {
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(tool, args, { cwd: root, stdio: 'inherit', shell });
  if (error !== undefined) console.error(`could not run ${tool}: ${error.message}`);
  if (status !== 0) failures++;
}
