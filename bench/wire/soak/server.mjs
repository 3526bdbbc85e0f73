import { Dispatcher, runServer } from 'tincan-wire';

let received = 0;
let outOfOrder = 0;

await runServer(
  new Dispatcher({
    /** Sends back what comes; a handler that waits for its send is what holds the sender back. */
    item(params, context) {
      if (params.sequence !== received) outOfOrder += 1;
      received += 1;
      return context.notify('item', params);
    },
    sample: () => ({ received, outOfOrder, rss: process.memoryUsage.rss() }),
  }),
);
