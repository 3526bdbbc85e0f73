// Makes an MCP bundle of each server: one file that a desktop client installs, with everything the server needs
// to run but Node itself.
//
//   npm run bundles                  writes .tmp/bundles/*.mcpb
//   npm run bundles -- --validate    and lets the official tool look at each

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.mjs';
import { bundleManifest } from './bundle-manifest.mjs';
import { scratchInstall } from './scratch-install.mjs';
import { zipFolder } from './zip.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, '.tmp/bundles');

/** Nothing compiled goes into a bundle, so the memory runs where Node has a SQLite that it takes. */
const NODE_RANGES = { memory: '^22.23.0 || ^24.20.0 || >=26.0.0' };

for (const name of ['memory', 'answer']) await makeBundle(join(root, 'packages', name), name);
if (process.argv.includes('--validate')) validate();

async function makeBundle(source, name) {
  const read = (file) => JSON.parse(readFileSync(join(source, file), 'utf8'));
  const [manifest, server] = [read('package.json'), read('server.json')];
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [entry] = Object.values(manifest.bin).map((file) => file.replace('./', ''));
  // Nothing is left to node_modules: what has compiled code is loaded by name at run time, if it is there.
  const chunks = await bundleProgram(source, join(folder, 'dist/program'), {
    isExternal: () => false,
    sourcemap: false,
  });
  const licences = licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  for (const [owner, file] of licences) place(file, join(folder, 'licences', `${owner}.txt`));
  for (const file of ['LICENSE', 'bin', 'data']) {
    if (existsSync(join(source, file))) place(join(source, file), join(folder, file));
  }
  const { version, type, engines } = manifest;
  write(folder, 'package.json', { name: manifest.name, version, private: true, type, engines });
  const nodeRange = NODE_RANGES[name] ?? engines.node;
  const description = await bundleManifest({ manifest, server, folder, entry, nodeRange });
  write(folder, 'manifest.json', description);
  const file = join(out, `tincan-${name}-${version}.mcpb`);
  writeFileSync(file, zipFolder(folder));
  console.log(file);
}

/** Licence files of the packages of others whose code was taken in. */
function licencesOf(modules) {
  const owners = modules.map((id) =>
    /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(id),
  );
  const folders = new Map(
    owners.filter((match) => match !== null).map(([, path, name]) => [name, path]),
  );
  return [...folders].map(([name, path]) => {
    const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return [name.replaceAll(/[\\/]/g, '-'), join(path, file)];
  });
}

function validate() {
  const folder = scratchInstall('mcpb', { '@anthropic-ai/mcpb': '2.1.2' });
  const tool = join(folder, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
  for (const name of ['memory', 'answer']) {
    const args = [tool, 'validate', join(out, name, 'manifest.json')];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', timeout: 60_000 });
    if (status !== 0) process.exitCode = 1;
  }
}

function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

function write(folder, name, content) {
  writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}
