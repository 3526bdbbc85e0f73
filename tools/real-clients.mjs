// Installs real clients from npm and lets each of them use a stdio server, without accounts and without a
// model. Exits non-zero when one that could be installed fails.
//
//   npm run clients
//   npm run clients -- --only codex
//   npm run clients -- --tool echo --arguments '{"text":"hi"}' --expect hi -- node my-server.js

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { boundedRun, openScratchHome } from './bounded-run.mjs';
import { scratchInstall } from './scratch-install.mjs';

const fixture = new URL('../packages/mcp/test/conformance/server.mjs', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    tool: { type: 'string', default: 'test_simple_text' },
    arguments: { type: 'string', default: '{}' },
    expect: { type: 'string' },
  },
});
const server = positionals.length > 0 ? positionals : [process.execPath, fileURLToPath(fixture)];
const [command, ...args] = server;
const { tool, arguments: json } = values;
const expected =
  values.expect ?? (positionals.length > 0 ? '' : 'This is a simple text response for testing.');
const NODE = { node: '22.23.3' };

/** Each client, what it is made of, and a run whose output must have the expected text. */
const CLIENTS = [
  ...['legacy', 'auto', 'modern'].map((era) => ({
    name: `Inspector CLI, ${era}`,
    install: ['inspector', { '@modelcontextprotocol/inspector': '2.12.0' }],
    run: ({ bin }) => bin('mcp-inspector', [...inspectorCall(), '--protocol-era', era]),
  })),
  {
    name: 'Inspector CLI, lint of the tools',
    install: ['inspector', { '@modelcontextprotocol/inspector': '2.12.0' }],
    expect: tool,
    run: ({ bin }) =>
      bin('mcp-inspector', ['--cli', ...server, '--method', 'tools/list', '--strict']),
  },
  {
    name: 'Inspector CLI, over HTTP with the token',
    install: ['inspector', { '@modelcontextprotocol/inspector': '2.12.0' }],
    expect: tool,
    run: ({ bin }) =>
      overHttp((url, header) =>
        bin('mcp-inspector', [
          ...['--cli', url, '--transport', 'http', '--header', header],
          ...['--method', 'tools/list'],
        ]),
      ),
  },
  {
    name: 'mcporter',
    install: ['mcporter', { mcporter: '0.12.3' }],
    run: ({ bin }) =>
      bin('mcporter', ['call', '--stdio', server.map(quote).join(' '), tool, '--args', json]),
  },
  {
    name: 'mcp-cli',
    install: ['mcp-cli', { '@wong2/mcp-cli': '2.0.0' }],
    run: ({ bin, file }) => {
      const config = file('mcp.json', { mcpServers: { mine: { command, args } } });
      return bin('mcp-cli', ['-c', config, 'call-tool', `mine:${tool}`, '--args', json]);
    },
  },
  {
    name: 'OpenAI Agents SDK',
    install: ['openai-agents', { '@openai/agents': '0.20.0', zod: '4.6.7' }],
    run: ({ script }) =>
      script(`
        import { MCPServerStdio } from '@openai/agents';
        const server = new MCPServerStdio(${JSON.stringify({ command, args })});
        await server.connect();
        const tools = await server.listTools();
        if (!tools.some(({ name }) => name === ${JSON.stringify(tool)})) throw new Error('no such tool');
        console.log(JSON.stringify(await server.callTool(${JSON.stringify(tool)}, ${json})));
        await server.close();`),
  },
  {
    name: 'Vercel AI SDK',
    install: ['ai-sdk', { '@ai-sdk/mcp': '1.0.101', zod: '4.6.7' }],
    run: ({ script }) =>
      script(`
        import { createMCPClient } from '@ai-sdk/mcp';
        import { Experimental_StdioMCPTransport as Transport } from '@ai-sdk/mcp/mcp-stdio';
        const transport = new Transport(${JSON.stringify({ command, args })});
        const client = await createMCPClient({ transport });
        const { ${JSON.stringify(tool)}: found } = await client.tools();
        console.log(JSON.stringify(await found.execute(${json}, { toolCallId: '1', messages: [] })));
        await client.close();`),
  },
  {
    name: 'Claude Code',
    install: ['claude-code', { '@anthropic-ai/claude-code': '2.1.325' }],
    expect: 'Connected',
    run: async ({ bin }) => {
      await bin('claude', ['mcp', 'add', 'mine', '--', ...server]);
      return bin('claude', ['mcp', 'list']);
    },
  },
  {
    name: 'Claude Code, over HTTP with the token',
    install: ['claude-code', { '@anthropic-ai/claude-code': '2.1.325' }],
    expect: 'Connected',
    run: ({ bin }) =>
      overHttp(async (url, header) => {
        await bin('claude', ['mcp', 'add', '--transport', 'http', 'mine', url, '--header', header]);
        return bin('claude', ['mcp', 'list']);
      }),
  },
  {
    name: 'Codex',
    install: ['codex', { '@openai/codex': '0.166.0' }],
    run: async ({ bin }) => {
      await bin('codex', ['mcp', 'add', 'mine', '--', ...server]);
      return bin('codex', ['app-server'], codexCall());
    },
  },
  {
    name: 'Gemini CLI',
    install: ['gemini-cli', { '@google/gemini-cli': '0.61.0' }],
    expect: 'Connected',
    run: async ({ bin }) => {
      await bin('gemini', ['mcp', 'add', 'mine', ...server]);
      return bin('gemini', ['mcp', 'list']);
    },
  },
  {
    name: 'opencode',
    install: ['opencode', { 'opencode-ai': '1.18.33' }],
    expect: '✓ mine',
    run: ({ bin, file }) => {
      file('opencode.json', { mcp: { mine: { type: 'local', command: server, enabled: true } } });
      return bin('opencode', ['mcp', 'list']);
    },
  },
];

const installs = new Map();
const wanted = values.only.toLowerCase();
const counts = { passed: 0, failed: 0, 'not installed': 0 };
for (const client of CLIENTS.filter(({ name }) => name.toLowerCase().includes(wanted))) {
  const { outcome, detail } = await attempt(client);
  counts[outcome]++;
  const [version] = Object.values(client.install[1]);
  console.log(`${outcome}: ${client.name} ${version}${detail === '' ? '' : `\n${detail}`}`);
}
console.log(
  Object.entries(counts)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', '),
);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

/** Puts our bridge before the server for as long as a client uses it. */
async function overHttp(use) {
  const token = randomBytes(32).toString('base64url');
  const bridge = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../packages/cli/bin/tincan.js', import.meta.url)),
      'bridge',
      '-q',
      '--port',
      '0',
      '--',
      ...server,
    ],
    { env: { ...process.env, TINCAN_TOKEN: token }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    let said = '';
    while (!said.includes('listening on ')) said += String((await once(bridge.stderr, 'data'))[0]);
    bridge.stderr.resume();
    const [, url] = /listening on (\S+)/.exec(said);
    return await use(url, `Authorization: Bearer ${token}`);
  } finally {
    bridge.kill('SIGTERM');
  }
}

/** Runs one client. Whatever goes wrong is told and stops nobody else. */
async function attempt({ install: [folder, packages], run, expect = expected }) {
  let node;
  let root;
  try {
    node = installed('node', NODE);
    root = installed(folder, packages);
  } catch (error) {
    return { outcome: 'not installed', detail: indent(error.message) };
  }
  const scratch = openScratchHome([`${node}/node_modules/.bin`]);
  try {
    const { isOk, output, how } = await run(toolsFor(root, scratch));
    const left = await scratch.close();
    const orphans = left.length === 0 ? '' : indent(`left behind and ended: ${left.join('; ')}`);
    if (isOk && output.includes(expect)) return { outcome: 'passed', detail: orphans };
    return { outcome: 'failed', detail: indent(`${how}\n${output.slice(-4000)}`) + orphans };
  } catch (error) {
    await scratch.close();
    return { outcome: 'failed', detail: indent(String(error)) };
  }
}

function installed(folder, packages) {
  if (!installs.has(folder)) {
    try {
      installs.set(folder, scratchInstall(`clients/${folder}`, packages));
    } catch (error) {
      installs.set(folder, error);
    }
  }
  const found = installs.get(folder);
  if (found instanceof Error) throw found;
  return found;
}

/** What a run may do: start a program of the package, run a script beside it, write a file. */
function toolsFor(root, { home, env }) {
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const own = {
    ...env,
    CODEX_HOME: home,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  return {
    bin: (name, args, onLine) =>
      boundedRun(`${root}/node_modules/.bin/${name}`, args, { cwd, env: own, onLine }),
    // Packages are looked for from the current folder.
    script: (code) =>
      boundedRun('node', ['--input-type=module', '--eval', code], { cwd: root, env: own }),
    file: (name, content) => {
      writeFileSync(join(cwd, name), JSON.stringify(content));
      return join(cwd, name);
    },
  };
}

function inspectorCall() {
  const call = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', json];
  return ['--cli', ...server, ...call, '--format', 'json'];
}

/** Speaks to Codex's own server as an editor would: opens a thread and calls the tool in it. */
function codexCall() {
  const name = 'real-clients';
  return (line, { send, stop }) => {
    if (line === undefined) {
      const clientInfo = { name, title: name, version: '1.0.0' };
      send({ id: 1, method: 'initialize', params: { clientInfo } });
      return;
    }
    const { id, result, error } = JSON.parse(line);
    if (error !== undefined || id === 3) stop();
    else if (id === 1) {
      send({ method: 'initialized' });
      send({ id: 2, method: 'thread/start', params: {} });
    } else if (id === 2) {
      const call = { server: 'mine', tool, arguments: JSON.parse(json) };
      const params = { threadId: result.thread.id, ...call };
      send({ id: 3, method: 'mcpServer/tool/call', params });
    }
  };
}

function quote(word) {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function indent(text) {
  return `${text.trimEnd().replaceAll(/^/gm, '  ')}\n`.trimEnd();
}
