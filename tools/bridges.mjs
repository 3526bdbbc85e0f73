// Puts the same stdio server behind `tincan bridge` and behind bridges of others, and lets the official suite score
// each over HTTP. stderr says what failed: the server alone passes everything, so it was lost in the bridge.
//
//   npm run bridges
//   npm run bridges -- tincan          one of them

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scoreServer } from './conformance-suite.mjs';
import { scratchInstall } from './scratch-install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVER = [process.execPath, `${root}packages/mcp/test/conformance/server.mjs`];
const REVISIONS = ['2025-11-25', '2026-07-28'];
const PORT = 38_417;
const START_MS = 30_000;

const peers = scratchInstall('bridges', { supergateway: '4.0.0', 'mcp-proxy': '6.7.19' });
const bin = (name) => `${peers}/node_modules/.bin/${name}`;

/** Each is given the options that suit it best. */
const BRIDGES = {
  tincan: () => [
    process.execPath,
    ...[`${root}packages/cli/bin/tincan.js`, 'bridge', '--port', `${PORT}`, '--', ...SERVER],
  ],
  supergateway: () => [
    ...[bin('supergateway'), '--stdio', SERVER.join(' '), '--outputTransport', 'streamableHttp'],
    ...['--stateful', '--port', `${PORT}`],
  ],
  'mcp-proxy': (revision) => [
    ...[bin('mcp-proxy'), '--port', `${PORT}`, '--server', 'stream', '--upstreamProtocol'],
    ...[revision === '2026-07-28' ? 'auto' : 'legacy', '--', ...SERVER],
  ],
};

const chosen = process.argv.slice(2);
console.log(`| bridge | ${REVISIONS.map((revision) => `\`${revision}\``).join(' | ')} |`);
console.log('|---|---|---|');
for (const name of Object.keys(BRIDGES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const cells = [];
  for (const revision of REVISIONS) cells.push(await score(name, revision));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

async function score(name, revision) {
  const [command, ...args] = BRIDGES[name](revision);
  // A group of its own: a bridge that leaves its servers behind takes them along.
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  const exited = once(child, 'exit');
  try {
    await untilListening(child);
    const scenarios = await scoreServer(`http://localhost:${PORT}/mcp`, revision);
    const failed = scenarios.filter(({ isPassed }) => !isPassed);
    console.error(
      `${name}, ${revision}: ${failed.map((each) => each.name).join(', ') || 'all passed'}`,
    );
    return `${scenarios.length - failed.length} of ${scenarios.length}`;
  } finally {
    process.kill(-child.pid, 'SIGKILL');
    await exited;
  }
}

async function untilListening(child) {
  const end = Date.now() + START_MS;
  while (Date.now() < end && child.exitCode === null) {
    const socket = connect(PORT, 'localhost');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(100);
  }
  throw new Error('the bridge does not listen');
}
