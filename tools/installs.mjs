// Installs the memory as people do, with every package manager and Node below, from a registry on loopback, and tries
// it: does it connect, save a note and find it? Prints the table of docs/packaging.md.
//
//   npm run installs [-- --only npm12,pnpm]

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from 'tincan-mcp';
import { openRegistry } from './local-registry.mjs';
import { scratchInstall } from './scratch-install.mjs';

const MEMORY = 'tincan-memory';
const PLATFORM = `${process.platform}-${process.arch}`;
const NODES = { 20: '20.20.0', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };
const MANAGERS = {
  npm10: { package: 'npm@10.9.9', program: 'bin/npm-cli.js', runner: 'bin/npx-cli.js' },
  npm11: { package: 'npm@11.21.2', program: 'bin/npm-cli.js', runner: 'bin/npx-cli.js' },
  npm12: { package: 'npm@12.2.0', program: 'bin/npm-cli.js', runner: 'bin/npx-cli.js' },
  pnpm: { package: 'pnpm@12.18.0', program: 'bin/pnpm.cjs' },
  yarn: { package: '@yarnpkg/cli-dist@4.18.1', program: 'bin/yarn.js' },
  bun: { package: 'bun@1.4.4', program: 'bin/bun.exe', isNative: true },
};
/** Each manager on the Node that is current, and the one that comes with Node on all of them. */
const CASES = [
  ...Object.keys(MANAGERS).map((manager) => ({ manager, node: 24 })),
  ...[20, 22, 26].map((node) => ({ manager: 'npm12', node })),
  ...['npm10', 'npm11', 'npm12'].map((manager) => ({ manager, node: 24, isRun: true })),
];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',');
const tools = scratchInstall('managers', {
  ...alias(NODES, (name, version) => [`node${name}`, `npm:node-${PLATFORM}@${version}`]),
  ...alias(MANAGERS, (name, manager) => [`pm-${name}`, `npm:${manager.package}`]),
});
const registry = await openRegistry();
const rows = [];
try {
  for (const each of CASES.filter(({ manager }) => only?.includes(manager) ?? true)) {
    rows.push(await tryInstall(each));
    process.stderr.write(`${Object.values(rows.at(-1)).join(' | ')}\n`);
  }
} finally {
  registry.close();
}
console.log(asMarkdown(rows));
if (registry.refused.length > 0) {
  console.error(
    `asked the registry for packages that are not ours: ${registry.refused.join(', ')}`,
  );
}
if (rows.some(({ result }) => result.startsWith('failed'))) process.exitCode = 1;

function alias(table, entry) {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => entry(name, value)));
}

async function tryInstall({ manager, node, isRun = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-install-'));
  try {
    const env = environment(folder, node);
    const started = performance.now();
    const problem = isRun ? undefined : install(manager, { folder, env });
    const seconds = isRun ? '–' : ((performance.now() - started) / 1000).toFixed(1);
    const server = isRun
      ? runnerOf(manager, env)
      : { command: nodeOf(node), args: [programIn(folder)] };
    const result = problem ?? (await tryServer({ ...server, cwd: folder, env }));
    const { bytes, packages, scripts } = isRun
      ? { bytes: undefined }
      : measure(join(folder, 'node_modules'));
    return {
      manager: isRun ? `npx of ${manager}` : manager,
      node: NODES[node],
      result,
      seconds,
      size: bytes === undefined ? '–' : `${(bytes / 1e6).toFixed(1)} MB`,
      packages: packages ?? '–',
      scripts: scripts ?? '–',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing of this machine's configuration: an empty home, and the registry on loopback. */
function environment(folder, node) {
  const home = join(folder, 'home');
  mkdirSync(home);
  return {
    PATH: `${dirname(nodeOf(node))}:${process.env.PATH}`,
    HOME: home,
    TINCAN_HOME: join(folder, 'memory'),
    npm_config_registry: registry.url,
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_cache: join(home, '.npm'),
    BUN_CONFIG_REGISTRY: registry.url,
    YARN_NPM_REGISTRY_SERVER: registry.url.replace(/\/$/, ''),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  };
}

/** Installs as a person would. Returns what went wrong, if anything. */
function install(manager, { folder, env }) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const { program, isNative = false } = MANAGERS[manager];
  const path = join(tools, 'node_modules', `pm-${manager}`, program);
  const add = manager.startsWith('npm') ? 'install' : 'add';
  const [command, ...words] = isNative ? [path, add, MEMORY] : ['node', path, add, MEMORY];
  const { status, stderr, stdout } = spawnSync(command, words, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status === 0) return undefined;
  return `failed: ${`${stderr}${stdout}`.trim().split('\n').at(-1)}`;
}

function nodeOf(major) {
  return join(tools, 'node_modules', `node${major}`, 'bin', 'node');
}

function programIn(folder) {
  return join(folder, 'node_modules', '.bin', 'tincan-memory');
}

function runnerOf(manager, env) {
  const runner = join(tools, 'node_modules', `pm-${manager}`, MANAGERS[manager].runner);
  return { command: join(env.PATH.split(':')[0], 'node'), args: [runner, '-y', MEMORY] };
}

/** Connects, saves a note and searches for it in other words. */
async function tryServer({ command, args, cwd, env }) {
  let client;
  const done = [];
  try {
    client = await connect({ command, args, cwd, env, envPolicy: 'none' }, { timeoutMs: 60_000 });
    await client.listTools();
    done.push('connects');
    const projectId = 'installs';
    const saved = await client.callTool('memory_add_note', {
      projectId,
      text: 'Deploys go out on Tuesdays',
    });
    if (saved.isError) return `${done.join(', ')}; ${saved.content[0]?.text}`;
    done.push('saves');
    const found = await client.callTool('memory_search', {
      projectId,
      query: 'when do we release?',
    });
    if (!JSON.stringify(found).includes('Tuesdays')) throw new Error('the note was not found');
    done.push('finds');
    return done.join(', ');
  } catch (error) {
    return `failed: ${[...done, error.message.split('\n')[0]].join(', ')}`;
  } finally {
    await client?.close().catch(() => undefined);
  }
}

/** Bytes on disk, packages, and packages with install scripts, below `node_modules`. */
function measure(folder) {
  let bytes = 0;
  const names = new Set();
  let scripts = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += statSync(path).size;
    if (
      entry.name !== 'package.json' ||
      !/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)
    )
      continue;
    names.add(path);
    scripts += hasInstallScript(path) ? 1 : 0;
  }
  return { bytes, packages: names.size, scripts };
}

function hasInstallScript(path) {
  const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8'));
  return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
}

function asMarkdown(table) {
  const head = [
    'package manager',
    'Node',
    'result',
    'install, s',
    'size',
    'packages',
    'install scripts',
  ];
  const lines = [head, head.map(() => '---'), ...table.map((row) => Object.values(row))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
