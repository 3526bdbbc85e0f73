import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { settings, variableFor } from '../../packages/answer/src/config/settings.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVERS = ['memory', 'answer'] as const;

interface Variable {
  readonly name: string;
  readonly default?: string;
  readonly isSecret?: boolean;
}

interface ServerFile {
  readonly version: string;
  readonly packages: readonly [
    {
      readonly identifier: string;
      readonly version: string;
      readonly environmentVariables: readonly Variable[];
    },
  ];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly mcpName?: string;
}

/** The registry name is written when a release is made, under a namespace that release.json names. */
const NAMED = { name: 'io.github.somebody/server' };

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

/** What the registry asks of a server that comes from npm and speaks on stdio. */
const version = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$', maxLength: 255 };
const input = {
  description: { type: 'string', minLength: 1 },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  choices: { type: 'array', items: { type: 'string' } },
  default: { type: 'string' },
  value: { type: 'string' },
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
};
const npmPackage = {
  type: 'object',
  required: ['registryType', 'identifier', 'version', 'transport'],
  additionalProperties: false,
  properties: {
    registryType: { const: 'npm' },
    identifier: { type: 'string', pattern: '^(@[a-z\\d-]+/)?[a-z\\d-]+$' },
    version,
    runtimeHint: { const: 'npx' },
    transport: { type: 'object', properties: { type: { const: 'stdio' } }, required: ['type'] },
    packageArguments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'value'],
        additionalProperties: false,
        properties: { ...input, type: { const: 'positional' } },
      },
    },
    environmentVariables: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        additionalProperties: false,
        properties: { ...input, name: { type: 'string', pattern: '^[A-Z][A-Z\\d_]*$' } },
      },
    },
  },
};
const isServerFile = new Ajv2020({ allErrors: true }).compile({
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'packages'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', maxLength: 200 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version,
    packages: { type: 'array', minItems: 1, maxItems: 1, items: npmPackage },
  },
});

describe.each(SERVERS)('server.json of %s', (name) => {
  const file = read<ServerFile>(`packages/${name}/server.json`);
  const manifest = read<Manifest>(`packages/${name}/package.json`);
  const [entry] = file.packages;

  it('is what the registry takes', () => {
    isServerFile({ ...file, ...NAMED });
    expect(isServerFile.errors ?? []).toEqual([]);
  });

  it('says what package.json says', () => {
    expect(manifest.mcpName).toBeUndefined();
    expect(entry.identifier).toBe(manifest.name);
    expect([file.version, entry.version]).toEqual([manifest.version, manifest.version]);
  });

  it('names every key a secret', () => {
    const secrets = entry.environmentVariables.filter(({ isSecret }) => isSecret);
    expect(secrets.map((variable) => variable.name)).toEqual(['OPENAI_API_KEY']);
  });

  it.each([
    ['a name without a namespace', { name }],
    ['a range for a version', { version: '^1.0.0' }],
    ['a long description', { description: 'x'.repeat(101) }],
    ['no package', { packages: [] }],
    ['another transport', { packages: [{ ...entry, transport: { type: 'sse' } }] }],
    ['another registry', { packages: [{ ...entry, registryType: 'pypi' }] }],
    ['a misspelt key', { package: [] }],
  ])('would be refused with %s', (_, change) => {
    expect(isServerFile({ ...file, ...NAMED, ...change })).toBe(false);
  });
});

it('names variables of the memory that its documentation has', () => {
  const [{ environmentVariables }] = read<ServerFile>('packages/memory/server.json').packages;
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  expect(environmentVariables.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('names variables of the answers with the defaults they have', () => {
  const [{ environmentVariables }] = read<ServerFile>('packages/answer/server.json').packages;
  const found = environmentVariables
    .filter(({ isSecret = false }) => !isSecret)
    .map((variable) => [
      variable.default,
      settings.find(({ path, variable: old }) => {
        return variable.name === old || variable.name === variableFor(path);
      })?.fallback,
    ]);
  expect(found.length).toBeGreaterThan(1);
  for (const [told, real] of found) expect(told).toBe(real);
});

it.each(['memory/src/version.ts', 'answer/src/version.ts', 'mcp/src/client/connect.ts'])(
  'has its version in %s',
  (path) => {
    const [, name = ''] = /^(\w+)/.exec(path) ?? [];
    const { version: released } = read<Manifest>(`packages/${name}/package.json`);
    const found = readFileSync(join(ROOT, 'packages', path), 'utf8').match(/'\d+\.\d+\.\d+'/g);
    expect(found).toEqual([`'${released}'`]);
  },
);

describe('the plugin', () => {
  const { version: released } = read<Manifest>('packages/memory/package.json');
  const plugin = read<Manifest>('plugin/.claude-plugin/plugin.json');

  it('is offered by the marketplace of this repository', () => {
    const { plugins } = read<{ plugins: readonly { name: string; source: string }[] }>(
      '.claude-plugin/marketplace.json',
    );
    expect(plugins).toHaveLength(1);
    expect(plugins[0]).toMatchObject({ name: plugin.name, source: './plugin' });
    expect(plugin.version).toBe(released);
  });

  it('starts the server and its hook by the launcher beside them', () => {
    const { mcpServers } = read<{ mcpServers: object }>('plugin/.mcp.json');
    const launcher = `\${CLAUDE_PLUGIN_ROOT}/launch.mjs`;
    expect(mcpServers).toEqual({ memory: { command: 'node', args: [launcher] } });
    const { hooks } = read<{ hooks: object }>('plugin/hooks/hooks.json');
    const command = `node "${launcher}" hook --format json`;
    expect(hooks).toEqual({
      SessionStart: [
        { matcher: 'startup|clear|compact', hooks: [{ type: 'command', command, timeout: 60 }] },
      ],
    });
  });
});
