// Prepares a release. Owner, repository and registry namespace come from release.json alone.
//
//   node tools/release.mjs version 0.2.0      sets the one version everywhere it stands
//   node tools/release.mjs guard [--tag v…]   fails unless release.json is filled in and one version stands everywhere
//   node tools/release.mjs describe           writes repository and registry names into the manifests, for publishing

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const PACKAGES = ['wire', 'mcp', 'memory', 'answer', 'cli'];
const SERVERS = ['memory', 'answer'];
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const IN_TEXT = '\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?';

/** Source files that hold the version in their text, with the pattern around it. */
const TEXTS = [
  ...['packages/memory/src/version.ts', 'packages/answer/src/version.ts'].map((path) => [
    path,
    new RegExp(`(?<=')${IN_TEXT}(?=')`, 'g'),
  ]),
  ['packages/mcp/src/client/connect.ts', new RegExp(`(?<=')${IN_TEXT}(?=')`, 'g')],
];

const [command, ...rest] = process.argv.slice(2);
if (command === 'version') setVersion(rest[0] ?? '');
else if (command === 'guard') guard(rest);
else if (command === 'describe') describe();
else fail(`expected \`version\`, \`guard\` or \`describe\`, got \`${command ?? ''}\``);

function setVersion(version) {
  if (!VERSION.test(version)) fail(`expected a version such as \`0.2.0\`, got \`${version}\``);
  const names = PACKAGES.map((name) => readJson(`packages/${name}/package.json`).name);
  for (const name of PACKAGES) {
    change(`packages/${name}/package.json`, (manifest) => withVersion(manifest, version, names));
  }
  change('package-lock.json', (lock) => {
    for (const name of PACKAGES) withVersion(lock.packages[`packages/${name}`], version, names);
  });
  for (const name of SERVERS) {
    change(`packages/${name}/server.json`, (server) => {
      server.version = version;
      for (const entry of server.packages) entry.version = version;
    });
  }
  change('plugin/.claude-plugin/plugin.json', (plugin) => {
    plugin.version = version;
  });
  for (const [path, pattern] of TEXTS) {
    const text = readFileSync(resolve(root, path), 'utf8');
    writeFileSync(resolve(root, path), text.replace(pattern, version));
  }
  console.log(`version ${version} is set; \`npm test\` checks every place`);
}

/** Sets the version of a manifest, and the one it requires of the other packages. */
function withVersion(manifest, version, names) {
  manifest.version = version;
  for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const name of Object.keys(manifest[field] ?? {})) {
      if (names.includes(name)) manifest[field][name] = version;
    }
  }
}

function guard(args) {
  const { version } = readJson('packages/wire/package.json');
  release();
  const others = PACKAGES.filter(
    (name) => readJson(`packages/${name}/package.json`).version !== version,
  );
  if (others.length > 0) {
    fail(
      `expected one version, ${version}, but these differ: ${others.join(', ')}; run \`node tools/release.mjs version ${version}\``,
    );
  }
  const tag = args[args.indexOf('--tag') + 1];
  if (args.includes('--tag') && tag !== `v${version}`) {
    fail(`expected the tag \`v${version}\`, got \`${tag}\``);
  }
}

function describe() {
  const { owner, repository, namespace } = release();
  const address = `https://github.com/${owner}/${repository}`;
  for (const name of PACKAGES) {
    change(`packages/${name}/package.json`, (manifest) => {
      manifest.repository = {
        type: 'git',
        url: `git+${address}.git`,
        directory: `packages/${name}`,
      };
      manifest.homepage = `${address}#readme`;
      manifest.bugs = `${address}/issues`;
      if (SERVERS.includes(name)) manifest.mcpName = `${namespace}/${name}`;
    });
  }
  const { name, version } = readJson('packages/memory/package.json');
  const launched = { packageName: `${name}@${version}` };
  writeFileSync(resolve(root, 'plugin/program.json'), `${JSON.stringify(launched)}\n`);
  for (const name of SERVERS) {
    change(`packages/${name}/server.json`, (server) => {
      server.name = `${namespace}/${name}`;
      server.repository = { url: address, source: 'github', subfolder: `packages/${name}` };
    });
  }
}

/** What release.json says; publishing under a guessed name could hit somebody else's. */
function release() {
  const values = readJson('release.json');
  const empty = ['owner', 'repository', 'namespace'].filter((key) => !values[key]);
  if (empty.length > 0) {
    fail(
      `release.json does not name ${empty.join(', ')}: fill it in with names that you own, then publish`,
    );
  }
  return values;
}

function change(path, edit) {
  const value = readJson(path);
  edit(value);
  writeFileSync(resolve(root, path), `${JSON.stringify(value, null, 2)}\n`);
  // The formatter joins short lists again, so that only the changed lines differ.
  const biome = resolve(root, 'node_modules/.bin/biome');
  if (existsSync(biome)) spawnSync(biome, ['format', '--write', path], { cwd: root });
}

function readJson(path) {
  return JSON.parse(readFileSync(resolve(root, path), 'utf8'));
}

function fail(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}
