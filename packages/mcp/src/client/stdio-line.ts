import { type Connection, type SpawnOptions, spawnServer } from 'tincan-wire';
import type { Line, OpenLine } from './line.ts';

/** How to start a server. */
export type StdioServer = Omit<SpawnOptions, 'methods' | 'handshake' | 'restart'> & {
  /** Called with the connection to each process that is started, for its events. */
  readonly onConnection?: (connection: Connection) => void;
};

/** Lines to a server that is spawned for each of them. */
export function stdioLine({ onConnection, ...server }: StdioServer): OpenLine {
  return async (methods): Promise<Line> => {
    const connection = await spawnServer({ ...server, methods });
    onConnection?.(connection);
    return {
      request: (method, params, options) => connection.request(method, params, options),
      notify: (method, params) => connection.notify(method, params),
      close: () => connection.close(),
      onNotification: (listener) => void connection.on('notification', listener),
    };
  };
}
