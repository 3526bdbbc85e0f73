// The package managers and Nodes that the memory is installed with, and what a person types into each. All come from
// the npm registry as packages without install scripts; those of pnpm and bun hold a program for this system.

import { dirname, join } from 'node:path';
import { scratchInstall } from '../scratch-install.mjs';

const SYSTEM = `${process.platform}-${process.arch}`;
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };
const MANAGERS = {
  npm10: { title: 'npm 10.9.9', package: 'npm@10.9.9', script: 'bin/npm-cli.js' },
  npm11: { title: 'npm 11.21.2', package: 'npm@11.21.2', script: 'bin/npm-cli.js' },
  npm12: { title: 'npm 12.2.0', package: 'npm@12.2.0', script: 'bin/npm-cli.js' },
  pnpm: { title: 'pnpm 12.18.0', package: `@pnpm/exe.${SYSTEM}@12.18.0`, program: 'pnpm' },
  yarn: { title: 'yarn 4.18.1', package: '@yarnpkg/cli-dist@4.18.1', script: 'bin/yarn.js' },
  bun: {
    title: 'bun 1.4.4',
    package: `@oven/bun-${SYSTEM.replace('arm64', 'aarch64')}@1.4.4`,
    program: 'bin/bun',
  },
};
/** A program that `node_modules/.bin` holds. */
const INSTALLED = ['node_modules/.bin/tincan-memory'];

/**
 * What a person types to install (`install`) and to start (`server`); words that follow the manager's name, but for
 * the program in `node_modules`. `npx` is a script of its own beside npm's. `isArchived` packages stay in their archives
 * in Yarn's cache.
 */
const WAYS = {
  'npm install': { install: ['install', 'tincan-memory'] },
  'npm exec': { server: ['exec', '--yes', '--', 'tincan-memory@<version>'] },
  npx: { script: 'bin/npx-cli.js', server: ['-y', 'tincan-memory@<version>'] },
  'pnpm add': { install: ['add', 'tincan-memory'] },
  'pnpm dlx': { server: ['dlx', 'tincan-memory@<version>'] },
  'yarn add': {
    install: ['add', 'tincan-memory'],
    server: ['run', 'tincan-memory'],
    isArchived: true,
  },
  'yarn add, node-modules': {
    install: ['add', 'tincan-memory'],
    env: { YARN_NODE_LINKER: 'node-modules' },
  },
  'yarn dlx': { server: ['dlx', 'tincan-memory@<version>'], isArchived: true },
  'bun add': { install: ['add', 'tincan-memory'] },
  bunx: { server: ['x', 'tincan-memory@<version>'] },
};

/** Installs all of them below `.tmp`. Returns a function that gives the commands of a case. */
export function openManagers(version) {
  const folder = scratchInstall('managers', {
    ...aliases(NODES, (name, release) => [`node${name}`, `npm:node-${SYSTEM}@${release}`]),
    ...aliases(MANAGERS, (name, manager) => [`pm-${name}`, `npm:${manager.package}`]),
  });
  const inPackage = (name, path) => join(folder, 'node_modules', name, path);
  return ({ manager, way, node: major }) => {
    const { title, program, script } = MANAGERS[manager];
    const { install, server, script: ownScript = script, env, isArchived } = WAYS[way];
    const node = inPackage(`node${major}`, 'bin/node');
    const start = (path) =>
      program === undefined
        ? [node, inPackage(`pm-${manager}`, path)]
        : [inPackage(`pm-${manager}`, program)];
    const command = (words) => [
      ...start(ownScript),
      ...words.map((word) => word.replace('<version>', version)),
    ];
    return {
      title: `${title}: \`${way}\``,
      release: NODES[major],
      node,
      manager: start(script),
      install: install && command(install),
      server: server === undefined ? INSTALLED : command(server),
      env,
      isArchived,
    };
  };
}

/** Nothing of this machine's configuration: an empty home, and this registry. */
export function environment({ home, node, registry }) {
  return {
    PATH: [join(home, 'bin'), dirname(node), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: home,
    TINCAN_HOME: join(home, 'memory'),
    npm_config_registry: registry,
    pnpm_config_registry: registry,
    BUN_CONFIG_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
  };
}

function aliases(table, entry) {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => entry(name, value)));
}
