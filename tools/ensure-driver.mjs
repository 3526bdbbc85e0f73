// Makes sure that this Node has a SQLite driver: its own, or `better-sqlite3` built for it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The memory takes no older SQLite (docs/dependencies.md). */
const SAFE_SQLITE = [3, 51, 3];

/** Builds `better-sqlite3` where Node has no safe SQLite. Returns why it could not, or `undefined`. */
export function ensureDriver(runNpm) {
  if (hasOwnSqlite(process.versions.sqlite) || isBuilt()) return undefined;
  console.error(`building better-sqlite3 for Node.js ${process.version}`);
  const headers = headersBeside(process.execPath);
  // The package's own script, run by name: npm 12 would skip it during an install.
  const args = ['run', 'install', '--prefix', join(root, 'node_modules/better-sqlite3')];
  const { output } = runNpm([...args, '--loglevel=error'], {
    env: { ...process.env, ...(headers !== undefined && { npm_config_nodedir: headers }) },
    // A compiler has much to say that matters only when it fails.
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (isBuilt()) return undefined;
  console.error(output);
  return explain({ hasHeaders: headers !== undefined, canRun });
}

/** Whether Node's own SQLite is one that the memory uses. */
export function hasOwnSqlite(version = '0') {
  const parts = version.split('.').map(Number);
  const differing = SAFE_SQLITE.findIndex((part, index) => part !== (parts[index] ?? 0));
  return differing === -1 || parts[differing] > SAFE_SQLITE[differing];
}

/** The folder to name as `nodedir`: headers of another Node, from a cache or an npmrc, would not fit. */
export function headersBeside(execPath) {
  const folder = dirname(dirname(execPath));
  return existsSync(join(folder, 'include/node/node_version.h')) ? folder : undefined;
}

/** What is missing, by the names of Debian's packages, and the Node that needs none of it. */
export function explain({ hasHeaders, canRun }) {
  const missing = [
    ...(canRun('g++') && canRun('make') ? [] : ['build-essential']),
    ...(canRun('python3') ? [] : ['python3']),
    ...(hasHeaders ? [] : ['libnode-dev']),
  ];
  const install =
    missing.length === 0
      ? 'read the messages above'
      : `install what compiling it needs (Debian, Ubuntu: \`apt install ${missing.join(' ')}\`) and run this again`;
  return `could not build better-sqlite3, which Node.js ${process.version} needs as its SQLite driver. Use Node.js 22.23, 24.20 or newer, which needs no driver, or ${install}.`;
}

function canRun(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** In a process of its own: a driver for another Node may crash it. */
function isBuilt() {
  const code = "new (require('better-sqlite3'))(':memory:')";
  return spawnSync(process.execPath, ['-e', code], { cwd: root, stdio: 'ignore' }).status === 0;
}
