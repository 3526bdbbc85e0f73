/** How a check went. A note is worth knowing and no fault. */
export type Status = 'pass' | 'note' | 'warn' | 'fail';

/** What a check found. */
export interface Finding {
  readonly status: Status;
  /** What was seen, in one sentence. */
  readonly reason: string;
  /** What to do about it. */
  readonly wayOut?: string;
}

/** A finding without fault. */
export function pass(reason: string): Finding {
  return { status: 'pass', reason };
}

/** Something that is no fault. */
export function note(reason: string): Finding {
  return { status: 'note', reason };
}

/** Something that some clients will stumble over. */
export function warn(reason: string, wayOut: string): Finding {
  return { status: 'warn', reason, wayOut };
}

/** Something that breaks clients. */
export function fail(reason: string, wayOut: string): Finding {
  return { status: 'fail', reason, wayOut };
}
