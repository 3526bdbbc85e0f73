import { Dispatcher, runServer } from 'tincan-wire';

let isGreeted = false;

const server = new Dispatcher({
  hello: () => {
    isGreeted = true;
    return 'hello';
  },
  pid: () => {
    if (!isGreeted) throw new Error('nobody said hello');
    return process.pid;
  },
  crash: () => process.exit(7),
});

await runServer(server);
