/** The most text that one answer is made of; several are in memory at the same time. */
export const MAX_ANSWER_BYTES: number = 64 * 1024 * 1024;

/** Thrown by a read whose rows hold more than that, before any of them is loaded. */
export class AnswerTooLarge extends Error {
  override readonly name: string = 'AnswerTooLarge';
  readonly bytes: number;

  constructor(bytes: number) {
    super(`the answer would hold ${bytes} bytes of text`);
    this.bytes = bytes;
  }
}

/** How many of some texts, by their lengths, one answer holds: at least the first. */
export function countFitting(lengths: readonly number[]): number {
  let left = MAX_ANSWER_BYTES;
  const beyond = lengths.findIndex((bytes, index) => {
    left -= bytes;
    return left < 0 && index > 0;
  });
  return beyond < 0 ? lengths.length : beyond;
}
