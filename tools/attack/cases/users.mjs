// Another user of the machine, as a real process with another uid: it reads no token, store or configuration.

import { spawnSync } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpServer } from '../http-server.mjs';

const OTHER = { uid: 65_534, gid: 65_534 };

/** Why the group cannot run here; undefined where it can. */
export const skip = process.getuid?.() === 0 ? undefined : 'needs root, to become another user';

/** A server that made its token itself, in a home that everyone may enter. */
export const openOwner = () =>
  HttpServer.open({
    makesToken: true,
    prepare: (home) => {
      chmodSync(home, 0o755);
      const embedder = { provider: 'none', apiKey: 'sk-of-the-owner-0123456789abcdef' };
      writeFileSync(join(home, 'config.json'), JSON.stringify({ embedder }), { mode: 0o600 });
    },
  });

const denied = { code: 'EACCES' };
const READ = "require('node:fs').readFileSync(path)";
const WRITE = "require('node:fs').appendFileSync(path, 'x')";
const REMOVE = "require('node:fs').rmSync(path)";
const FILES = [
  'data/token',
  'data/memory.db',
  'data/memory.db-wal',
  'data/memory.db-shm',
  'config.json',
];

const attempt = (name, code, path, expected = denied) => ({ name, code, path, expected });
const request = (path) =>
  `const {request} = require('node:http'); const [url] = [process.argv[2] + ${JSON.stringify(path)}]; request(url, (r) => { console.log(JSON.stringify({ status: r.statusCode })); r.resume(); }).end();`;

export const users = [
  ...FILES.flatMap((file) => [
    attempt(`reads ${file}`, READ, file),
    attempt(`writes ${file}`, WRITE, file),
    attempt(`removes ${file}`, REMOVE, file),
  ]),
  attempt('lists the data', "require('node:fs').readdirSync(path)", 'data'),
  attempt('plants a file in the data', WRITE, 'data/planted'),
  attempt('plants a configuration', WRITE, 'config.json.new'),
  attempt('reads the variables of the server', READ, '/proc/<pid>/environ'),
  attempt('reads the memory of the server', READ, '/proc/<pid>/mem'),
  {
    name: 'sees no token in the command line',
    code: `if (${READ}.includes(process.argv[3])) throw Object.assign(new Error('seen'), { code: 'SEEN' })`,
    path: '/proc/<pid>/cmdline',
    expected: { code: 'OK' },
  },
  { name: 'calls /rpc', script: request('/rpc'), expected: { status: 401 } },
  { name: 'calls /mcp', script: request('/mcp'), expected: { status: 401 } },
  { name: 'asks for /health', script: request('/health'), expected: { status: 200 } },
  {
    name: 'stops the server',
    code: 'process.kill(Number(process.argv[4]))',
    path: '',
    expected: { code: 'EPERM' },
  },
  ...[
    ['data/token', 0o600],
    ['config.json', 0o600],
    ['data', 0o700],
  ].map(([file, mode]) => ({
    name: `${file} has the mode ${mode.toString(8)}`,
    file,
    expected: { mode },
  })),
];

/** Runs code as the other user and resolves with the error it met. */
export async function playUser(server, { code, path, script, file }) {
  if (file !== undefined) return { mode: statSync(join(server.home, file)).mode & 0o777 };
  const { pid } = server.program.child;
  const place = path?.startsWith('/') ? path.replace('<pid>', pid) : join(server.home, path ?? '');
  const program =
    script ??
    `const path = process.argv[1]; let code = 'OK'; try { ${code} } catch (error) { code = error.code } console.log(JSON.stringify({ code }))`;
  const args = ['-e', program, place, `http://127.0.0.1:${server.port}`, server.token, String(pid)];
  const { stdout, stderr, error } = spawnSync(process.execPath, args, {
    ...OTHER,
    cwd: '/',
    encoding: 'utf8',
    env: {},
  });
  if (stdout === '' || error !== undefined)
    throw new Error(`could not become another user: ${error ?? stderr}`);
  return JSON.parse(stdout);
}
