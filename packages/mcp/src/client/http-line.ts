import { Peer, WireError } from 'tincan-wire';
import type { HttpServerAddress } from '../http/http-streams.ts';
import type { Line, OpenLine } from './line.ts';

/** Lines to a remote server over Streamable HTTP. */
export function httpLine(address: HttpServerAddress): OpenLine {
  return async (methods): Promise<Line> => {
    const { openHttpStreams } = await import('../http/http-streams.ts');
    const streams = openHttpStreams(address);
    const { input, output } = streams;
    const peer = new Peer({ input, output, methods, role: 'client', framing: 'line' });
    return {
      request: (method, params, options) => peer.request(method, params, options),
      notify: (method, params) => peer.notify(method, params),
      close: async () => {
        await peer.flushed(500);
        await streams.close();
        peer.stop(new WireError('SHUTDOWN', 'the connection was closed'));
      },
      onNotification: (listener) => void peer.on('notification', listener),
    };
  };
}
