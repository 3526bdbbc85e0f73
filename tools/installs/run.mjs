// Runs the commands of a package manager.

import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { headersBeside } from '../ensure-driver.mjs';

const NODE_GYP = resolve(
  import.meta.dirname,
  '../../.tmp/managers/node_modules/pm-npm10/node_modules/node-gyp/bin/node-gyp.js',
);
const TIMEOUT_MS = 600_000;

/** Runs a command to its end, while the registry in this process answers; rejects with what it wrote where it fails. */
export async function run([command, ...args], options) {
  const running = promisify(execFile)(command, args, {
    ...options,
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 26,
  });
  running.child.stdin.end();
  try {
    return (await running).stdout.trim();
  } catch (error) {
    throw new Error(`${error.message}${error.stdout}`, { cause: error });
  }
}

/**
 * Runs the command that a memory without a driver names, word for word, with the packages of this machine's registry
 * beside ours and the headers of that Node. A shell finds the manager by its name.
 */
export async function runRepair(text, { cwd, env, home, node, manager, registry }) {
  registry.forward(await run(['npm', 'config', 'get', 'registry'], { cwd, env: process.env }));
  const name = basename(manager.at(-1)).replace('-cli.js', '');
  writeCommand(join(home, 'bin', name), manager);
  // pnpm 12 brings none; a person without the prebuilt driver has to have one.
  writeCommand(join(home, 'bin/node-gyp'), [node, NODE_GYP]);
  const headers = headersBeside(node);
  try {
    await run(['sh', '-c', text], {
      cwd,
      env: {
        ...env,
        // Where a proxy stands before the registry, its certificate.
        NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
        SSL_CERT_FILE: process.env.SSL_CERT_FILE ?? '',
        ...(headers !== undefined && { npm_config_nodedir: headers }),
      },
    });
  } finally {
    registry.forward(undefined);
  }
}

function writeCommand(path, words) {
  writeFileSync(path, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
}
