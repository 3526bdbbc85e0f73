import type { MethodTable, Outlet } from '@tincan/wire';
import type { McpServer } from '../server/mcp-server.ts';

/** One legacy session behind an HTTP end. */
export interface BackendSession {
  readonly methods: MethodTable;
  close(): Promise<void>;
}

/** What an HTTP end serves. */
export interface HttpBackend {
  /** Methods for modern requests, which share no state. */
  modern(): Promise<MethodTable>;
  /** A new legacy session; `outlet` is how it speaks without being asked. */
  open(outlet: Outlet): Promise<BackendSession>;
  close(): Promise<void>;
}

/** A server in this process. */
export function serverBackend(server: McpServer): HttpBackend {
  const shared = server.session();
  return {
    modern: async () => shared,
    open: async (outlet) => {
      const session = server.session();
      session.attach(outlet);
      return { methods: session, close: async () => session.end() };
    },
    close: async () => shared.end(),
  };
}
