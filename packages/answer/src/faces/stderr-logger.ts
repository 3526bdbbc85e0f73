import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from 'tincan-wire';
import type { Logger } from '../logger.ts';
import { redact } from '../redact.ts';

/** Where log lines go. */
export interface StderrLoggerOptions {
  /** Whether details are wanted, and not only warnings. */
  readonly debug: boolean;
  /** Gets a copy of every line. */
  readonly file: string | null;
  readonly write: (line: string) => void;
  readonly now?: () => Date;
}

/** Writes one line for each message, cleaned of secrets. */
export function createStderrLogger(options: StderrLoggerOptions): Logger {
  const { debug, write, now = () => new Date() } = options;
  let { file } = options;
  const line = (level: string) => (message: string) => {
    const text = `[answer] ${now().toISOString()} ${level} ${redact(message)}\n`;
    write(text);
    if (file === null) return;
    try {
      makeFolderSync(dirname(file));
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      write(`[answer] the debug file is given up: ${String(error)}\n`);
      file = null;
    }
  };
  const drop = (): void => {};
  return {
    debug: debug ? line('DEBUG') : drop,
    info: debug ? line('INFO') : drop,
    warn: line('WARN'),
    error: line('ERROR'),
  };
}
