import { StringDecoder } from 'node:string_decoder';
import { splitLines } from './line-loop.mjs';

/** The bare loop over the same chunks. */
export function parse(chunks) {
  const decoder = new StringDecoder('utf8');
  let found;
  const push = splitLines(([message]) => {
    found = message;
  });
  for (const chunk of chunks) push(decoder.write(chunk));
  return found;
}
