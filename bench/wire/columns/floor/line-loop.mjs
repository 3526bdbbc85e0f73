/**
 * The bare loop over the chunks of a stream.
 *
 * @param {import('node:stream').Readable} input
 * @param {(messages: object[]) => void} onMessages
 */
export function readLines(input, onMessages) {
  input.setEncoding('utf8').on('data', splitLines(onMessages));
}

/** Cuts text at newlines, parses each line and hands over the messages of one chunk together. */
export function splitLines(onMessages) {
  let rest = '';
  return (text) => {
    // Without a newline the text is only appended, which V8 does without copying.
    if (!text.includes('\n')) {
      rest += text;
      return;
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    onMessages(lines.map(parseLine));
  };
}

/** Joins all that is sent in one turn of the event loop into one write. */
export function createWriter(output) {
  let outbox = '';
  function flush() {
    output.write(outbox);
    outbox = '';
  }
  return {
    send(message) {
      if (outbox === '') process.nextTick(flush);
      outbox += `${JSON.stringify(message)}\n`;
    },
    drained: () =>
      new Promise((resolve) => {
        process.nextTick(() =>
          output.writableNeedDrain ? output.once('drain', resolve) : resolve(),
        );
      }),
  };
}

function parseLine(line) {
  return JSON.parse(line);
}
