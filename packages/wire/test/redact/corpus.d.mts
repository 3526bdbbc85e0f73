/** One entry of a corpus: a text, and the secrets that must not be left in it. */
export interface Sample {
  readonly part: string;
  readonly line: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

export interface Redactor {
  redactText(text: string): string;
  redactValue(value: unknown): unknown;
}

export function readCorpus(name: string): Sample[];
export function isRight(sample: Sample, redactor: Redactor): boolean;
