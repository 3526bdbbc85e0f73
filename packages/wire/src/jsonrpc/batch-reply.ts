/** Collects the answers to one batch, in the order of its requests, and sends them as one array. */
export class BatchReply {
  readonly #answers: (string | undefined)[];
  readonly #send: (text: string) => void;
  #open: number;

  constructor(length: number, send: (text: string) => void) {
    this.#answers = new Array(length);
    this.#open = length;
    this.#send = send;
  }

  /** The place of one element. It takes an answer, or undefined where none is due, once. */
  slot(index: number): (text: string | undefined) => void {
    return (text) => {
      this.#answers[index] = text;
      if (--this.#open > 0) return;
      const due = this.#answers.filter((answer) => answer !== undefined);
      if (due.length > 0) this.#send(`[${due.join(',')}]`);
    };
  }
}
