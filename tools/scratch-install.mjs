// Installs packages that only a script needs, some of which want a newer Node, into a folder of their own.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headersBeside } from './ensure-driver.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A registry that takes longer than this is as good as none. */
const TIMEOUT_MS = 300_000;

/**
 * Makes sure of these versions of packages and returns the folder that holds them. What has to be compiled is
 * compiled for `node`, with the headers beside it.
 */
export function scratchInstall(name, dependencies, node = process.execPath) {
  const folder = `${root}.tmp/${name}`;
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies }, null, 2);
  const file = `${folder}/package.json`;
  const isCurrent = existsSync(`${folder}/node_modules`) && readFileSync(file, 'utf8') === manifest;
  if (isCurrent) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  console.error(`installing ${Object.keys(dependencies).join(', ')}`);
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  const stdio = ['ignore', 2, 2];
  const env = { ...process.env, ...compileFor(node) };
  const { status } = spawnSync('npm', args, { cwd: folder, stdio, timeout: TIMEOUT_MS, env });
  if (status !== 0) {
    writeFileSync(file, '{}');
    throw new Error(`npm could not install into ${folder}`);
  }
  return folder;
}

function compileFor(node) {
  const nodedir = headersBeside(node);
  if (nodedir === undefined) return {};
  return { npm_config_nodedir: nodedir, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}
