import { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';

/** The buffer of both its transports. */
export function parse(chunks) {
  const buffer = new ReadBuffer({ maxBufferSize: 2 ** 30 });
  let found = null;
  for (const chunk of chunks) {
    buffer.append(chunk);
    found ??= buffer.readMessage();
  }
  return found;
}
