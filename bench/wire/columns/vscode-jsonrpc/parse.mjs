import { PassThrough } from 'node:stream';
import { StreamMessageReader } from 'vscode-jsonrpc/node';

/** Its reader takes a stream, so the chunks come through one. */
export function parse(chunks, whole) {
  return new Promise((resolve) => {
    const input = new PassThrough({ highWaterMark: 2 ** 30 });
    const reader = new StreamMessageReader(input);
    reader.listen(resolve);
    input.write(`Content-Length: ${whole.length}\r\n\r\n`);
    for (const chunk of chunks) input.write(chunk);
  });
}
