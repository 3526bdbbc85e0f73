// The official conformance suite, with the newer Node it needs, in a folder of its own.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { scratchInstall } from './scratch-install.mjs';

const folder = scratchInstall('conformance', {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  node: '22.23.3',
});
const node = `${folder}/node_modules/.bin/node`;
const suite = `${folder}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const results = `${folder}/results`;
mkdirSync(results, { recursive: true });

/** A suite that waits for an answer that never comes is ended after this. */
const TIMEOUT_MS = 900_000;

/** Scored scenarios of a server at a revision, each with whether it passed. */
export async function scoreServer(url, revision) {
  const args = ['server', '--url', url, '--requirements', revision, '-o', results];
  const run = spawn(node, [suite, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
  });
  let output = '';
  run.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(run, 'close');
  return scoredOf(output);
}

/** Runs one scenario against a client. */
export function scoreClient(command, { scenario, revision }) {
  const args = ['client', '--command', command, '--scenario', scenario];
  const { status } = spawnSync(node, [suite, ...args, '--spec-version', revision], {
    stdio: 'ignore',
    cwd: results,
    timeout: TIMEOUT_MS,
  });
  return { name: scenario, isPassed: status === 0 };
}

/** Scored scenarios of a summary; those listed after it as not scored do not count. */
function scoredOf(output) {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [list = '', unscored = ''] = summary.split(/^Not scored/m);
  return [...list.matchAll(/^([✓✗]) ([\w-]+):/gm)]
    .map(([, mark, name]) => ({ name, isPassed: mark === '✓' }))
    .filter(({ name }) => !new RegExp(`[✓✗] ${name} \\(`).test(unscored));
}
