// Runs programs that are not ours: with a time limit, a home of their own, and nothing left behind.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Opens an empty home. Programs run in it see it as theirs and none of the variables of this process. */
export function openScratchHome(folders) {
  const home = mkdtempSync(join(tmpdir(), 'tincan-client-'));
  const env = {
    PATH: [...folders, process.env.PATH].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    TERM: 'dumb',
    NO_COLOR: '1',
  };
  return { home, env, close: () => closeHome(home) };
}

/**
 * Runs a program to its end, or to the end of its time. `onLine` takes each line of stdout; with `send`
 * it may write to stdin, and `stop` ends the program early and well.
 */
export async function boundedRun(command, args, { cwd, env, timeoutMs = 90_000, onLine }) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let rest = '';
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.stdin.end();
    end(child, 'SIGTERM');
  };
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    if (onLine !== undefined) for (const line of lines) onLine(line, { send, stop });
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  if (onLine === undefined) child.stdin.end();
  else onLine(undefined, { send, stop });
  const timer = setTimeout(() => end(child, 'SIGKILL'), timeoutMs);
  const [status, signal] = await new Promise((resolve) => {
    child.once('error', (error) => resolve([error.message, null]));
    child.once('exit', (...how) => resolve(how));
  });
  clearTimeout(timer);
  // Whatever the program started in its group goes with it.
  end(child, 'SIGKILL');
  return { isOk: status === 0 || isStopped, output, how: signal ?? `exit ${status}` };
}

function end({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Ends what still lives in a home, removes it and returns the command lines that were found there. */
async function closeHome(home) {
  let left = processesOf(home);
  for (let turn = 0; turn < 30 && left.length > 0; turn++) {
    await delay(100);
    left = processesOf(home);
  }
  for (const { pid } of left) end({ pid: -pid }, 'SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return left.map(({ command }) => command);
}

/** Processes with this home in their environment, on systems that tell. */
function processesOf(home) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && proc(entry, 'environ').includes(home))
    .map((entry) => ({ pid: Number(entry), command: proc(entry, 'cmdline').replaceAll('\0', ' ') }))
    .filter(({ command }) => command !== '');
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
