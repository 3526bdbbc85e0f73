import childProcess, { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Stands between a column's client and `spawn`, so that every client runs unaltered and yet its
 * server has a descriptor for figures and, with `pipes`, real pipes instead of Node's socket pairs.
 * All servers get a session of their own, as some clients give it: a busy Linux schedules by session,
 * which would otherwise be the larger part of what is measured.
 *
 * @param {{ pipes: boolean }} options
 * @returns {{ usage(): Promise<{ cpuUs: number, peakBytes: number }> }} the server's own figures
 */
export function hookSpawn({ pipes }) {
  const { spawn } = childProcess;
  let server;
  childProcess.spawn = (command, args, options) => {
    // A client may start helpers of its own; they are left alone.
    if (!args?.some((arg) => arg.endsWith('server.mjs'))) return spawn(command, args, options);
    server = (pipes ? spawnOnPipes : spawnOnSockets)(spawn, command, args, options);
    server.stdio[3].setEncoding('utf8').resume();
    return server;
  };
  syncBuiltinESMExports();
  return {
    usage: () =>
      new Promise((resolve) => {
        server.stdio[3].once('data', (text) => resolve(JSON.parse(text)));
        process.kill(server.pid, 'SIGUSR2');
      }),
  };
}

function spawnOnSockets(spawn, command, args, options) {
  const stdio = ['pipe', 'pipe', stderrOf(options), 'pipe'];
  return spawn(command, args, { ...options, stdio, detached: true });
}

function spawnOnPipes(spawn, command, args, options) {
  const toServer = openPipe();
  const fromServer = openPipe();
  const child = spawn(command, args, {
    ...options,
    stdio: [toServer.readFd, fromServer.writeFd, stderrOf(options), 'pipe'],
    detached: true,
  });
  closeSync(toServer.readFd);
  closeSync(fromServer.writeFd);
  child.stdin = new Socket({ fd: toServer.writeFd, readable: false, writable: true });
  child.stdout = new Socket({ fd: fromServer.readFd, readable: true, writable: false });
  child.stdio[0] = child.stdin;
  child.stdio[1] = child.stdout;
  return child;
}

function stderrOf({ stdio }) {
  return (Array.isArray(stdio) ? stdio[2] : stdio) ?? 'pipe';
}

/** A fifo opened at both ends and unlinked at once: what `pipe(2)` gives, which Node does not offer. */
function openPipe() {
  const directory = mkdtempSync(join(tmpdir(), 'bench-pipe-'));
  const path = join(directory, 'fifo');
  try {
    execFileSync('mkfifo', [path]);
    const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { readFd, writeFd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
