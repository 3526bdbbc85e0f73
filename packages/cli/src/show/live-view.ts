import type { TapRecord } from 'tincan-wire';
import type { Paint } from '../format/paint.ts';
import { preview, printable } from '../format/text.ts';
import { calledName, itemLine } from './item-line.ts';
import { Timeline } from './timeline.ts';

/** A session as it happens: a line when a call begins, a line when it is answered. */
export class LiveView {
  readonly #paint: Paint;
  readonly #width: number;
  readonly #timeline = new Timeline();
  #startMs: number | undefined;

  constructor(paint: Paint, width: number) {
    this.#paint = paint;
    this.#width = width;
  }

  /** Lines that a new record is worth. */
  add(record: TapRecord): string[] {
    this.#startMs ??= Date.parse(record.time);
    const style = { paint: this.#paint, width: this.#width, startMs: this.#startMs };
    const items = this.#timeline.add(record);
    // Items are shown when they come; only open calls must be remembered.
    this.#timeline.items.length = 0;
    return items.map((item) => {
      if (item.kind !== 'call' || item.answer !== undefined) return itemLine(item, style);
      const head = printable(`${item.method} ${calledName(item)}`).trimEnd();
      const { cyan, magenta, dim } = this.#paint;
      const sign = item.direction === 'client→server' ? cyan('→') : magenta('←');
      const offset = `+${((item.timeMs - style.startMs) / 1000).toFixed(3)}s`.padStart(10);
      const rest = preview(item.params, Math.max(8, this.#width - head.length - 17));
      return `${dim(offset)} ${sign} ${head} ${dim(`… ${rest}`)}`.trimEnd();
    });
  }
}
