import type { CommandIo } from '../io.ts';

const CELLS = 24;
const MIN_INTERVAL_MS = 80;

/** A bar on stderr while something long runs; nothing where nobody watches. */
export class ProgressBar {
  readonly #io: Pick<CommandIo, 'stderr' | 'isErrorTerminal'>;
  readonly #label: string;
  readonly #now: () => number;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(
    io: Pick<CommandIo, 'stderr' | 'isErrorTerminal'>,
    label: string,
    { now = () => performance.now() }: { readonly now?: () => number } = {},
  ) {
    this.#io = io;
    this.#label = label;
    this.#now = now;
  }

  /** Shows how far the work is, but not more often than anyone can read. */
  update(done: number, total: number): void {
    const now = this.#now();
    if (!this.#io.isErrorTerminal || (now - this.#drawnAt < MIN_INTERVAL_MS && done < total))
      return;
    this.#drawnAt = now;
    this.#io.stderr.write(`\r\u001B[2K${renderProgress(this.#label, done, total)}`);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#drawnAt > Number.NEGATIVE_INFINITY) this.#io.stderr.write('\r\u001B[2K');
  }
}

/** One state of a bar. */
export function renderProgress(label: string, done: number, total: number): string {
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * CELLS);
  const bar = '█'.repeat(filled) + '░'.repeat(CELLS - filled);
  return `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %`;
}
