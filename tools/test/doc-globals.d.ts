import type { Connection, Dispatcher, Peer, Recorder } from 'tincan-wire';

/** Names that code in the docs uses without declaring them; they mean the same on every page. */
declare global {
  const connection: Connection;
  const dispatcher: Dispatcher;
  const peer: Peer;
  const recorder: Recorder;
}
