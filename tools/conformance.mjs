// Runs the official conformance suite against our layer: the fixture server on our own HTTP end and, on
// stdio, behind our own bridge, and the fixture client, at both revisions. Exits non-zero when a scored
// scenario that does not need OAuth fails.
//
//   npm run conformance

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scratchInstall } from './scratch-install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const fixtures = `${root}packages/mcp/test/conformance`;
const folder = scratchInstall('conformance', {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  node: '22.23.3',
});
const node = `${folder}/node_modules/.bin/node`;
const suite = `${folder}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const results = `${folder}/results`;
mkdirSync(results, { recursive: true });

const CLIENT_SCENARIOS = {
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
};

let failed = 0;
for (const revision of Object.keys(CLIENT_SCENARIOS)) {
  for (const mode of ['http', 'bridge']) await server(mode, revision);
  client(revision);
}
process.exitCode = Math.min(1, failed);

async function server(mode, revision) {
  const child = spawn(process.execPath, [`${fixtures}/server.mjs`, `--${mode}`, '0'], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [line] = await once(child.stderr, 'data');
  const port = /listening on (\d+)/.exec(String(line))?.[1];
  child.stderr.resume();
  const args = ['server', '--url', `http://localhost:${port}/mcp`, '--requirements', revision];
  const run = spawn(node, [suite, ...args, '-o', results], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  run.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(run, 'close');
  child.kill();
  await once(child, 'exit');
  report(`server, ${mode}, ${revision}`, scoredOf(output));
}

function client(revision) {
  const scenarios = CLIENT_SCENARIOS[revision].map((name) => {
    const command = `${process.execPath} ${fixtures}/client.mjs`;
    const args = ['client', '--command', command, '--scenario', name, '--spec-version', revision];
    const { status } = spawnSync(node, [suite, ...args], { stdio: 'ignore', cwd: results });
    return { name, isPassed: status === 0 };
  });
  report(`client, ${revision}`, scenarios);
}

/** Scored scenarios of a summary; those listed after it as not scored do not count. */
function scoredOf(output) {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [list = '', unscored = ''] = summary.split(/^Not scored/m);
  return [...list.matchAll(/^([✓✗]) ([\w-]+):/gm)]
    .map(([, mark, name]) => ({ name, isPassed: mark === '✓' }))
    .filter(({ name }) => !new RegExp(`[✓✗] ${name} \\(`).test(unscored));
}

function report(what, scenarios) {
  const bad = scenarios.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
  const passed = scenarios.length - bad.length;
  if (scenarios.length === 0 || bad.length > 0) failed++;
  const detail = bad.length === 0 ? '' : `; failed: ${bad.join(', ')}`;
  console.log(`${what}: ${passed} of ${scenarios.length} scored scenarios${detail}`);
}
