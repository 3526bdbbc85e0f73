// Writes docs/check-reports.md: what `tincan check` says of public servers and of ours, and the defects it finds.
//
//   npm run check-reports

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tincan-reports-'));
const MARKS = { pass: '✓', note: '·', warn: '!', fail: '✗' };
const TIMEOUT_MS = 300_000;

const SERVERS = [
  ...['everything', 'memory', 'filesystem'].map((name) => ({
    name: `server-${name}`,
    folder: `node_modules/@modelcontextprotocol/server-${name}`,
    args: ['dist/index.js', ...(name === 'filesystem' ? [scratch] : [])],
  })),
  { name: 'tincan-memory', folder: 'packages/memory', args: ['bin/tincan-memory.js'] },
  { name: 'tincan-answer', folder: 'packages/answer', args: ['bin/tincan-answer.js', '--stdio'] },
];

const reports = SERVERS.map(examine);
rmSync(scratch, { recursive: true, force: true });
const defects = read('packages/cli/test/fixtures/defects.json');
const checks = reports[0].findings.map(({ check, title }) => ({ check, title }));

writeFileSync(
  join(root, 'docs/check-reports.md'),
  `# What \`tincan check\` finds

This page is written by \`npm run check-reports\`; the command itself is [explained here](cli.md#tincan-check).

## Public servers, and ours

${table([
  ['check', ...reports.map(({ name }) => `\`${name}\``)],
  ['version', ...reports.map(({ version }) => version)],
  ...checks.map(({ check }) => [`\`${check}\``, ...reports.map((report) => mark(report, check))]),
])}

\`✓\` passed, \`·\` noted and no fault, \`!\` warning, \`✗\` failure.

${table([['what was found', 'in', 'way out'], ...remarks()])}

## Servers that are wrong on purpose

${defects.length} servers with one defect each. A [test](../packages/cli/test/e2e/check.test.ts) starts every one of them and wants the
check beside it to say so; the server without a defect passes.

${table([
  ['the server', 'is found by', 'as'],
  ...defects.map(({ does, check, status }) => [does, `\`${check}\``, verdict(status)]),
])}
`,
);

function verdict(status) {
  return status === 'fail' ? 'failure' : 'warning';
}

function examine({ name, folder, args }) {
  const { version } = read(`${folder}/package.json`);
  const [script, ...rest] = args;
  const server = [process.execPath, join(root, folder, script), ...rest];
  const command = [`${root}packages/cli/bin/tincan.js`, 'check', '--json', '--', ...server];
  const env = { ...process.env, HOME: scratch, TINCAN_HOME: join(scratch, 'memory') };
  const options = { encoding: 'utf8', env, cwd: scratch, timeout: TIMEOUT_MS };
  const { stdout, stderr } = spawnSync(process.execPath, command, options);
  if (stdout === '') throw new Error(`no report of ${name}: ${stderr}`);
  console.error(`examined ${name}`);
  return { name, version, findings: JSON.parse(stdout).findings };
}

function mark({ findings }, check) {
  const status = findings.find((finding) => finding.check === check)?.status;
  return status === undefined ? '' : MARKS[status];
}

/** What did not just pass, each once, with the servers it was found in. */
function remarks() {
  const found = new Map();
  for (const { name, findings } of reports) {
    for (const { check, status, reason, wayOut = '–' } of findings) {
      if (status === 'pass') continue;
      const key = `\`${check}\`: ${reason}`;
      const { servers = [] } = found.get(key) ?? {};
      found.set(key, { servers: [...servers, `\`${name}\``], wayOut });
    }
  }
  return [...found].map(([what, { servers, wayOut }]) => [what, servers.join(', '), wayOut]);
}

function table([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function read(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
