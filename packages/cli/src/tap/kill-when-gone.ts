import { spawn } from 'node:child_process';

/** Waits for a word on its input; if the input ends without one, whoever held it was killed. */
const SCRIPT = `trap '' HUP INT TERM
read -r word
[ "$word" = done ] || kill -KILL "$1"`;

/**
 * Lets a process not outlive this one, even after SIGKILL: a client that kills what it takes for the server
 * means the server. Returns what to call once the process is gone by itself.
 */
export function killWhenGone(pid: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without a shell the end of its input has to tell the server.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return () => watcher.stdin.end('done\n');
}
