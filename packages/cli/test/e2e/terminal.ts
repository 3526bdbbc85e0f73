import { spawn } from 'node:child_process';

/** A program in a pseudo-terminal. */
export interface Terminal extends AsyncDisposable {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  type(keys: string): void;
  /** Waits until this is shown, after what was last waited for. */
  seen(text: string): Promise<void>;
  /** Everything shown so far. */
  shown(): string;
}

/** Starts a command line in a pseudo-terminal of 80 columns. */
export function openTerminal(line: string, env: NodeJS.ProcessEnv = {}): Terminal {
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', COLUMNS: '80', ...env },
  });
  let screen = '';
  let from = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const seen = async (text: string): Promise<void> => {
    while (screen.indexOf(text, from) < 0) {
      const more = new Promise<boolean>((resolve) =>
        child.stdout.once('data', () => resolve(true)),
      );
      const hasMore = await Promise.race([more, ended.then(() => false)]);
      if (!hasMore) throw new Error(`ended before ${text}: ${screen}`);
    }
    from = screen.indexOf(text, from) + text.length;
  };
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    seen,
    shown: () => screen,
    async [Symbol.asyncDispose]() {
      // Without its terminal a shell ends, though it is deaf to SIGTERM.
      child.kill('SIGKILL');
      await ended;
    },
  };
}
