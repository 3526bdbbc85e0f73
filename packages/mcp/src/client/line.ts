import type { MethodTable, RequestOptions } from 'tincan-wire';

/** A connection to a server, whatever carries it. */
export interface Line {
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: object): Promise<void>;
  close(): Promise<void>;
  /** Hears of notifications that belong to no request. */
  onNotification(listener: (method: string, params: unknown) => void): void;
}

/** Opens a line. `methods` is what the server may call. */
export type OpenLine = (methods: MethodTable) => Promise<Line>;
