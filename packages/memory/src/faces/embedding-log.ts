import { type EmbeddingProgress, FEW_PENDING } from '../service/embedding-progress.ts';

const INTERVAL_MS = 1_000;

/** What a log message about a long embedding says. */
export interface EmbeddingMessage extends EmbeddingProgress {
  readonly message: string;
}

/** Tells of a long embedding, as after a change of the model: now and then while it runs, and when it is done. */
export class EmbeddingLog {
  readonly #tell: (message: EmbeddingMessage) => void;
  readonly #now: () => number;
  #isLong = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    tell: (message: EmbeddingMessage) => void,
    { now = () => performance.now() }: { readonly now?: () => number } = {},
  ) {
    this.#tell = tell;
    this.#now = now;
  }

  readonly report = ({ done, pending }: EmbeddingProgress): void => {
    // The work of the day nobody needs to hear of.
    if (pending > FEW_PENDING) this.#isLong = true;
    if (!this.#isLong) return;
    const now = this.#now();
    if (pending > 0 && now - this.#toldAt < INTERVAL_MS) return;
    this.#toldAt = now;
    this.#isLong = pending > 0;
    const message = pending > 0 ? `embedding notes, ${pending} to go` : 'all notes are embedded';
    this.#tell({ message, done, pending });
  };
}
