// Makes a fresh clone ready to run: installs what the lock file says, if needed, and builds.

import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Time of the last install: npm writes this file at the end of one. */
const installed = statSync(`${root}/node_modules/.package-lock.json`, { throwIfNoEntry: false });
const locked = statSync(`${root}/package-lock.json`);
// A linked folder is shared with another checkout, whose business it is.
const isShared = lstatSync(`${root}/node_modules`, { throwIfNoEntry: false })?.isSymbolicLink();

if (!isShared && (installed === undefined || installed.mtimeMs < locked.mtimeMs)) {
  console.error('installing dependencies (npm ci)');
  // Development dependencies are needed even where NODE_ENV says production.
  npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
}
run(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b']);

function npm(...args) {
  const script = process.env.npm_execpath;
  if (script === undefined) run('npm', args, { shell: process.platform === 'win32' });
  else run(process.execPath, [script, ...args]);
}

function run(command, args, options = {}) {
  // stdout stays free for the program that follows.
  const stdio = ['ignore', 2, 2];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio, ...options });
  if (error !== undefined) console.error(`could not run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
