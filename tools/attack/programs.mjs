// Starts the programs under attack, each in a home of its own, and measures their memory.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built programs. */
export const MEMORY = `${root}packages/memory/bin/tincan-memory.js`;
export const TINCAN = `${root}packages/cli/bin/tincan.js`;

/** A folder that `close` removes. */
export function scratchFolder() {
  const path = mkdtempSync(join(tmpdir(), 'tincan-attack-'));
  const close = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', close);
  return {
    path,
    close: () => {
      process.off('exit', close);
      close();
    },
  };
}

const live = new Set();

// Nothing outlives an attack, however it ends.
process.on('exit', () => {
  for (const child of live) child.kill('SIGKILL');
});
for (const [name, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(name, () => process.exit(code));
}

/** A program that sees nothing of this machine's configuration. stdout and stderr are kept up to a limit. */
export class Program {
  stderr = '';
  constructor(script, args, { home, env = {}, cwd = home, onOutput } = {}) {
    this.child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, TINCAN_HOME: home, XDG_STATE_HOME: home, ...env },
      stdio: 'pipe',
    });
    live.add(this.child);
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        live.delete(this.child);
        this.ending = { code, signal };
        resolve(this.ending);
      });
    });
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.on('data', (chunk) => onOutput?.(chunk));
    this.child.stderr.setEncoding('utf8').on('data', (text) => {
      if (this.stderr.length < 1_000_000) this.stderr += text;
    });
  }

  get isAlive() {
    return this.ending === undefined;
  }

  /** Resolves with the first match of a pattern on stderr. */
  said(pattern) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.stderr);
        if (found !== null) resolve(found);
      };
      this.child.stderr.on('data', look);
      look();
      this.ended.then(() => reject(new Error(`the program ended: ${this.stderr.slice(0, 500)}`)));
    });
  }

  /** Largest and present resident memory in MB, where the system tells. */
  get memory() {
    return memoryOf(this.child.pid);
  }

  async kill() {
    if (this.isAlive) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Largest and present resident memory of a process in MB. */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { peak: megabytes('VmHWM'), now: megabytes('VmRSS') };
  } catch {
    // The process ended, or this system has no such file.
    return { peak: 0, now: 0 };
  }
}
