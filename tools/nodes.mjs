// Tries the memory on every Node that matters. Each Node is an npm package, which needs no script and brings its
// headers; it is installed into a folder below `.tmp`, with the driver that a user of that Node would install.
//
//   npm run nodes              store tests, and a server that saves and finds a note, on each Node
//   npm run nodes -- --all     and the whole suite on the newest Node of each major version
//   npm run nodes -- 22.12 26  these Nodes alone

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { hasOwnSqlite } from './ensure-driver.mjs';
import { scratchInstall } from './scratch-install.mjs';
import { tryMemory } from './try-memory.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const NODES = ['20.20', '22.12', '22.20', '22', '24.12', '24', '26'];
/** Packages whose code the tests of the store and of the programs need. */
const FOLDERS = [
  'packages',
  'tools',
  'examples',
  'docs',
  'bench',
  'plugin',
  '.github',
  '.claude-plugin',
];
const TIMEOUT_MS = 1_200_000;

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const isWhole = process.argv.includes('--all');
const rows = [];
for (const version of asked.length > 0 ? asked : NODES) rows.push(await tryNode(version));
console.table(rows);
process.exitCode = rows.every(({ store, server, suite }) =>
  [store, server, suite ?? 'ok'].every((result) => result.startsWith('ok')),
)
  ? 0
  : 1;

async function tryNode(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = scratchInstall(`nodes/${version}`, { [name]: version });
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = join(folder, 'node_modules', name, 'bin', program);
  const { version: found, versions } = JSON.parse(
    spawnSync(node, ['-p', 'JSON.stringify(process)'], { encoding: 'utf8' }).stdout,
  );
  const driver = driverFor(node, versions, version);
  const checkout = linkedCheckout(version, driver?.folder);
  console.error(`Node.js ${found}, ${driver?.name ?? 'node:sqlite'}`);
  const suite = isWhole && /^\d+$/.test(version);
  return {
    node: found,
    sqlite: versions.sqlite ?? 'none',
    driver: driver?.name ?? 'node:sqlite',
    store: runTests(node, checkout, ['--project', 'unit', 'packages/memory/test/store']),
    server: await saveAndFind(node, checkout),
    ...(suite && { suite: runTests(node, checkout, []) }),
  };
}

/** What a user of this Node is told to install, or `undefined` where Node has a safe SQLite. */
function driverFor(node, versions, version) {
  if (hasOwnSqlite(versions.sqlite)) return undefined;
  const major = Number(versions.napi) >= 10 ? '13' : '12';
  const folder = scratchInstall(`nodes/${version}-driver`, { 'better-sqlite3': major }, node);
  return { name: `better-sqlite3 ${major}`, folder };
}

/** A copy of this checkout whose packages are links to those here, but for the driver. */
function linkedCheckout(version, driverFolder) {
  const folder = join(root, '.tmp/nodes', `${version}-checkout`);
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of FOLDERS) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  }
  for (const name of readdirSync(root)) {
    if (/\.(?:json|md|ts)$|^LICENSE$/.test(name)) cpSync(join(root, name), join(folder, name));
  }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('tincan-')) link(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    const { name: full } = JSON.parse(
      readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8'),
    );
    link(join(folder, 'packages', name), join(modules, full));
  }
  rmSync(join(modules, 'better-sqlite3'), { force: true });
  if (driverFolder !== undefined) {
    link(join(driverFolder, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'));
  }
  return folder;
}

function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path, 'junction');
}

/** Runs tests with this Node, which the programs that they start find first as well. */
function runTests(node, checkout, args) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, stdout } = spawnSync(node, [vitest, 'run', ...args, '--reporter=json'], {
    cwd: checkout,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 28,
  });
  const json = stdout.slice(stdout.indexOf('{'));
  if (status === null || json === '') return 'did not finish';
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(json);
  if (status === 0) return `ok (${numPassedTests} tests)`;
  for (const { name, status: result, assertionResults } of testResults) {
    if (result !== 'failed') continue;
    console.error(`failed: ${name}`);
    for (const { status: outcome, fullName } of assertionResults) {
      if (outcome === 'failed') console.error(`  ${fullName}`);
    }
  }
  return `${numFailedTests} of ${numPassedTests + numFailedTests} tests failed in ${numFailedTestSuites} groups`;
}

/** Starts the server, saves a note and finds it; it has nothing to say on stderr. */
async function saveAndFind(node, checkout) {
  const home = join(checkout, '.home');
  const { bin } = JSON.parse(readFileSync(join(checkout, 'packages/memory/package.json'), 'utf8'));
  const program = join(checkout, 'packages/memory', bin['tincan-memory']);
  const stderr = new PassThrough({ encoding: 'utf8' });
  const env = { HOME: home, TINCAN_HOME: home };
  const server = { command: node, args: [program], cwd: checkout, env, stderr };
  const { done, tools, problem } = await tryMemory(server);
  if (problem !== undefined) return `failed: ${problem}`;
  const remarks = stderr.read();
  if (remarks !== null) return `wrote to stderr: ${remarks}`;
  return done.includes('finds') ? `ok (${tools} tools)` : done.join(', ');
}
