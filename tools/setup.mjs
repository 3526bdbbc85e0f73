// Makes a fresh clone ready to run: installs what the lock file says, if needed, and builds.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureDriver } from './ensure-driver.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isShared()) {
  if (!isInstalled()) {
    console.error('installing dependencies (npm ci)');
    // Development dependencies are needed even where NODE_ENV says production. The one install script there is
    // builds the driver, which is done below, where it is needed.
    const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    exitOnFailure(npm(['ci', ...flags, '--loglevel=error']));
  }
  const problem = ensureDriver(npm);
  if (problem !== undefined) {
    console.error(problem);
    process.exit(1);
  }
}
exitOnFailure(run(process.execPath, [`${root}/tools/build.mjs`]));

/** A linked folder belongs to another checkout, whose business it is. */
function isShared() {
  return lstatSync(`${root}/node_modules`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Whether what is there is what the lock file says; npm notes at the end of an install what it did. */
function isInstalled() {
  const note = `${root}/node_modules/.package-lock.json`;
  if (!existsSync(note)) return false;
  const installed = packagesIn(note);
  return Object.entries(packagesIn(`${root}/package-lock.json`))
    .filter(([path]) => path.includes('node_modules/'))
    .every(([path, { version, optional = false }]) =>
      path in installed ? installed[path].version === version : optional,
    );
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function npm(args, options = {}) {
  const script = process.env.npm_execpath;
  if (script !== undefined) return run(process.execPath, [script, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

function run(command, args, options = {}) {
  // stdout stays free for the program that follows.
  const stdio = ['ignore', 2, 2];
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio,
    ...options,
  });
  if (error !== undefined) console.error(`could not run ${command}: ${error.message}`);
  return { status: status ?? 1, output: `${stdout ?? ''}${stderr ?? ''}` };
}

/** Ends here unless a program succeeded. */
function exitOnFailure({ status }) {
  if (status !== 0) process.exit(status);
}
