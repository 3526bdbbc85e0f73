import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Starts a server on pipes of its own; requests are answered by id. */
export function start({ program, env }, folder) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, ...env(folder) },
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, error, result } = JSON.parse(line);
    const problem =
      error?.message ?? (result?.isError ? JSON.stringify(result.content) : undefined);
    if (problem === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(problem));
    waiting.delete(id);
  });
  let nextId = 1;
  const request = (method, params) => {
    const id = nextId++;
    const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  };
  const handshake = async () => {
    await request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    const sample = { startMs: performance.now() - startedAt, startCpuMs: cpuMs(child.pid) };
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return sample;
  };
  const end = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    // Not every server ends with its input.
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid, request, handshake, end };
}

/** User and system time of a process with all of its threads. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const all = (Number(fields[11]) + Number(fields[12])) * 10;
  // Finer than the ticks of `stat`, but of the main thread alone.
  const main = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  return Math.max(all, main);
}
