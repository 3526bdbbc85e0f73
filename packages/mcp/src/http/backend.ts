import type { MethodTable, Outlet } from 'tincan-wire';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { McpServer } from '../server/mcp-server.ts';

/** One legacy session behind an HTTP end. */
export interface BackendSession {
  readonly methods: MethodTable;
  close(): Promise<void>;
}

/** What serves modern requests, which share no state. */
export interface ModernBackend {
  readonly methods: MethodTable;
  /** Input schema of a tool, if it is known. */
  inputSchema(tool: string): JsonSchema | undefined;
}

/** What an HTTP end serves. */
export interface HttpBackend {
  modern(): Promise<ModernBackend>;
  /** A new legacy session; `outlet` is how it speaks without being asked. */
  open(outlet: Outlet): Promise<BackendSession>;
  close(): Promise<void>;
}

/** A server in this process. */
export function serverBackend(server: McpServer): HttpBackend {
  const shared = server.session();
  return {
    modern: async () => ({ methods: shared, inputSchema: (tool) => server.inputSchema(tool) }),
    open: async (outlet) => {
      const session = server.session();
      session.attach(outlet);
      return { methods: session, close: async () => session.end() };
    },
    close: async () => shared.end(),
  };
}
