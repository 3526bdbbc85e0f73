import { ErrorCode } from 'tincan-wire';
import { ProtocolError } from './tool-error.ts';

/** A part of a list, and where the next one starts. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
}

/** Cuts the page a cursor stands for out of a list. Cursors are opaque: nobody is to build one. */
export function pageOf<T>(all: readonly T[], cursor: unknown, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : decodeCursor(cursor, all.length);
  const end = start + pageSize;
  return {
    items: start === 0 && end >= all.length ? all : all.slice(start, end),
    nextCursor: end < all.length ? Buffer.from(`at:${end}`).toString('base64url') : undefined,
  };
}

/** Refuses a cursor that no page of a list came with. */
function invalidCursor(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InvalidParams,
    'invalid `cursor`: use the `nextCursor` of a page',
    {
      path: 'cursor',
    },
  );
}

function decodeCursor(cursor: unknown, length: number): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const start = Number(/^at:(\d+)$/.exec(text)?.[1] ?? Number.NaN);
  if (!(start < length)) throw invalidCursor();
  return start;
}
