// Runs the official conformance suite against our layer: the fixture server on our own HTTP end and, on
// stdio, behind our own bridge, and the fixture client, at both revisions. Exits non-zero when a scored
// scenario that does not need OAuth fails.
//
//   npm run conformance

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { scoreClient, scoreServer } from './conformance-suite.mjs';

const fixtures = fileURLToPath(new URL('../packages/mcp/test/conformance', import.meta.url));

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
  const scenarios = await scoreServer(`http://localhost:${port}/mcp`, revision);
  child.kill();
  await once(child, 'exit');
  report(`server, ${mode}, ${revision}`, scenarios);
}

function client(revision) {
  const command = `${process.execPath} ${fixtures}/client.mjs`;
  const scenarios = CLIENT_SCENARIOS[revision].map((scenario) =>
    scoreClient(command, { scenario, revision }),
  );
  report(`client, ${revision}`, scenarios);
}

function report(what, scenarios) {
  const bad = scenarios.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
  const passed = scenarios.length - bad.length;
  if (scenarios.length === 0 || bad.length > 0) failed++;
  const detail = bad.length === 0 ? '' : `; failed: ${bad.join(', ')}`;
  console.log(`${what}: ${passed} of ${scenarios.length} scored scenarios${detail}`);
}
