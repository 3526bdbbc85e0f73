// Installs the memory as people do, with the package managers and Nodes below, from a registry on loopback, and tries
// it: does it connect, save a note and find it? Prints the table of docs/packaging.md. Where the memory names a command
// that installs a SQLite driver, that command is run too, with the registry of this machine. For Linux and macOS.
//
//   npm run installs [-- --only npm12,pnpm] [--node 24]

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './installs/measure.mjs';
import { environment, openManagers } from './installs/package-managers.mjs';
import { run, runRepair } from './installs/run.mjs';
import { openRegistry } from './local-registry.mjs';
import { tryMemory } from './try-memory.mjs';

const HEAD = ['with', 'Node', 'result', 'seconds', 'MB', 'packages', 'install scripts'];
const NPMS = ['npm10', 'npm11', 'npm12'];
/** Every manager on one Node, and npm on the others. npm 12 does not run on Node 20. */
const CASES = [
  ...NPMS.map((manager) => ({ manager, way: 'npm install', node: 24 })),
  { manager: 'pnpm', way: 'pnpm add', node: 24 },
  { manager: 'yarn', way: 'yarn add', node: 24 },
  { manager: 'yarn', way: 'yarn add, node-modules', node: 24 },
  { manager: 'bun', way: 'bun add', node: 24 },
  ...NPMS.map((manager) => ({ manager, way: 'npx', node: 24 })),
  ...NPMS.map((manager) => ({ manager, way: 'npm exec', node: 24 })),
  { manager: 'pnpm', way: 'pnpm dlx', node: 24 },
  { manager: 'yarn', way: 'yarn dlx', node: 24 },
  { manager: 'bun', way: 'bunx', node: 24 },
  ...NPMS.map((manager) => ({ manager, way: 'npm install', node: 22 })),
  ...['npm11', 'npm12'].map((manager) => ({ manager, way: 'npm install', node: 26 })),
  ...['npm10', 'npm11'].map((manager) => ({ manager, way: 'npm install', node: 20 })),
  { manager: 'pnpm', way: 'pnpm add', node: 20 },
];

const { values } = parseArgs({ options: { only: { type: 'string' }, node: { type: 'string' } } });
const manifest = resolve(import.meta.dirname, '../packages/memory/package.json');
const commandsOf = openManagers(JSON.parse(readFileSync(manifest, 'utf8')).version);
const registry = await openRegistry();
const rows = [HEAD, HEAD.map(() => '---')];
try {
  for (const each of CASES.filter(isWanted)) {
    const { cells, problem } = await tryCase(commandsOf(each));
    rows.push(cells);
    console.error(cells.join(' | '));
    if (problem === undefined) continue;
    console.error(problem);
    process.exitCode = 1;
  }
} finally {
  registry.close();
}
console.log(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
if (registry.refused.length > 0) {
  console.error(`asked for, but not ours: ${[...new Set(registry.refused)].join(', ')}`);
}

function isWanted({ manager, node }) {
  return (
    (values.only?.split(',').includes(manager) ?? true) &&
    (values.node === undefined || values.node === String(node))
  );
}

/** One row. Seconds are those of the installation, which `npx` and its like do before the server answers. */
async function tryCase({ title, release, node, manager, install, server, env: extra, isArchived }) {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-install-'));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(join(home, 'bin'), { recursive: true });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  try {
    const env = { ...environment({ home, node, registry: registry.url }), ...extra };
    const started = performance.now();
    let taken;
    const onInstalled = () => {
      taken ??= [
        ((performance.now() - started) / 1000).toFixed(1),
        ...(isArchived ? ['–', '–', '–'] : sizes(folder)),
      ];
    };
    if (install !== undefined) {
      await run(install, { cwd: project, env });
      onInstalled();
    }
    const [command, ...args] = server;
    const { done, problem } = await tryMemory(
      { command: resolve(project, command), args, cwd: project, env, envPolicy: 'none' },
      {
        onConnected: onInstalled,
        repair: (text) => runRepair(text, { cwd: project, env, home, node, manager, registry }),
      },
    );
    const result = problem === undefined ? done.join(', ') : [...done, 'failed'].join(', ');
    return { cells: [title, release, result, ...(taken ?? [])], problem };
  } catch (error) {
    return { cells: [title, release, 'failed'], problem: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizes(folder) {
  const { bytes, packages, scripts } = measure(folder);
  return [(bytes / 1e6).toFixed(1), packages, scripts];
}
