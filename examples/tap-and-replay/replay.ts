import { readRecording, replayServer, runServer } from 'tincan-wire';

/** A server made of nothing but a recording. */
await runServer(replayServer(await readRecording(process.argv[2] ?? '')));
