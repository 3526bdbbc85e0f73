import { FrameDecoder } from 'tincan-wire';

/** The decoder of both ends. */
export function parse(chunks) {
  const decoder = new FrameDecoder();
  let found;
  for (const chunk of chunks) {
    for (const decoded of decoder.push(chunk)) found = decoded.value;
  }
  return found;
}
