const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A text that UTF-8 can hold: half of a cut emoji becomes the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}
