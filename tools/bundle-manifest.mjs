// The manifest of an MCP bundle, from what is known already: `package.json`, `server.json` and the server itself.

import { join } from 'node:path';
import { connect } from 'tincan-mcp';

/** What a client calls each setting; all else about it is in `server.json`. */
const TITLES = {
  TINCAN_HOME: 'Folder',
  TINCAN_EMBEDDER_PROVIDER: 'Embedder',
  TINCAN_TOOLSET: 'Tools',
  TINCAN_ANSWER_OPENAI_BASE_URL: 'Endpoint',
  OPENAI_API_KEY: 'API key',
  MODEL_ANSWER: 'Model',
};

/** Describes the bundle in a folder, whose program is `entry`. */
export async function bundleManifest({ manifest, server, folder, entry, nodeRange }) {
  const [{ environmentVariables: variables, packageArguments = [] }] = server.packages;
  const args = packageArguments.map(({ value }) => value);
  return {
    manifest_version: '0.3',
    name: manifest.name.replace('@', '').replace('/', '-'),
    display_name: server.title,
    version: manifest.version,
    description: server.description,
    author: { name: 'tincan' },
    license: manifest.license,
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, ...args],
        env: Object.fromEntries(
          variables.map(({ name }) => [name, `\${user_config.${fieldFor(name)}}`]),
        ),
      },
    },
    tools: await toolsOf({ program: join(folder, entry), args, home: `${folder}-home` }),
    user_config: Object.fromEntries(
      variables.map((variable) => [fieldFor(variable.name), settingFrom(variable)]),
    ),
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: nodeRange },
    },
  };
}

function fieldFor(variable) {
  return variable.toLowerCase();
}

function settingFrom({ name, description, format, isSecret = false, default: value = '' }) {
  if (TITLES[name] === undefined) throw new Error(`${name} has no title`);
  return {
    type: format === 'filepath' ? 'directory' : 'string',
    title: TITLES[name],
    description,
    required: false,
    // A client leaves the placeholder of a setting without a value as it is.
    default: value,
    ...(isSecret && { sensitive: true }),
  };
}

async function toolsOf({ program, args, home }) {
  const env = { TINCAN_HOME: home };
  const client = await connect({ command: process.execPath, args: [program, ...args], env });
  const tools = await client.listTools();
  await client.close();
  return tools.map(({ name, description }) => ({ name, description: firstSentence(description) }));
}

function firstSentence(text) {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
