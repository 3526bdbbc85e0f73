import type { Progress } from 'tincan-wire';
import type { Io } from '../command/io.ts';
import { preview, printable } from '../format/text.ts';
import type { SessionListener } from './open-session.ts';

/** Shows on stderr, apart from results, what a server says besides its answers. */
export class SideChannel implements SessionListener {
  readonly #io: Io;
  readonly #isQuiet: boolean;

  constructor(io: Io, isQuiet = false) {
    this.#io = io;
    this.#isQuiet = isQuiet;
  }

  stderr(line: string): void {
    this.#show(this.#io.errorPaint.dim(`stderr │ ${printable(line)}`));
  }

  stray(text: string): void {
    this.#show(this.#io.errorPaint.yellow(`stdout │ ${printable(text)}`));
  }

  notification(method: string, params: unknown): void {
    if (method === 'notifications/message') this.#log(params);
    else {
      const text = `${printable(method)} ${preview(params, this.#io.width)}`.trimEnd();
      this.#show(this.#io.errorPaint.dim(`notice │ ${text}`));
    }
  }

  progress({ progress, total, message = '' }: Progress): void {
    const share = total === undefined ? `${progress}` : `${progress}/${total}`;
    this.#show(
      this.#io.errorPaint.cyan(`progress │ ${share} ${printable(String(message))}`.trimEnd()),
    );
  }

  #log(params: unknown): void {
    const { level, data } = (params ?? {}) as { level?: unknown; data?: unknown };
    const text = typeof data === 'string' ? printable(data) : preview(data, this.#io.width * 4);
    this.#show(this.#io.errorPaint.dim(`log │ ${printable(String(level))} ${text}`));
  }

  #show(line: string): void {
    if (!this.#isQuiet) this.#io.remark(line);
  }
}
