import { Dispatcher, runServer } from 'tincan-wire';

/** Answers in whatever framing the first message came in. */
await runServer(new Dispatcher({ echo: (params) => params }));
