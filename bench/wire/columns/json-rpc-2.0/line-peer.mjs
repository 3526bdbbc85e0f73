import { createInterface } from 'node:readline';
import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from 'json-rpc-2.0';

/** The library brings no transport: readline in, one write per message out, as its guide shows. */
export function createLinePeer(input, output) {
  const peer = new JSONRPCServerAndClient(
    new JSONRPCServer(),
    new JSONRPCClient((message) => {
      output.write(`${JSON.stringify(message)}\n`);
    }),
  );
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    void peer.receiveAndSend(JSON.parse(line));
  });
  return peer;
}

/** Settles when the stream wants more. */
export function drained(output) {
  return output.writableNeedDrain
    ? new Promise((resolve) => output.once('drain', resolve))
    : Promise.resolve();
}
