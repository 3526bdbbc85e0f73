/** A secret in a text: where it stands, and what it is. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}
