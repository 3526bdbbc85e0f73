import {
  type CallContext,
  type Connection,
  type Handler,
  type MethodTable,
  type Outlet,
  spawnServer,
} from 'tincan-wire';
import type { StdioServer } from '../client/stdio-line.ts';
import { META_SUBSCRIPTION, metaOf } from '../protocol/envelope.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { HttpBackend } from './backend.ts';

/**
 * Any stdio server as the back end of an HTTP end: a process for each legacy session, since a process has
 * one, and a process for all modern requests, which share nothing.
 */
export function bridgeBackend(server: StdioServer): HttpBackend {
  let shared: Promise<Relay> | undefined;
  return {
    modern: async () => {
      const before = shared;
      // A start that failed is no reason not to try again.
      const last = await before?.catch(() => undefined);
      const isNeeded = last?.isAlive !== true && shared === before;
      if (isNeeded || shared === undefined) shared = Relay.open(server);
      const relay = await shared;
      return { methods: relay, inputSchema: (tool) => relay.inputSchema(tool) };
    },
    open: async (outlet) => {
      const relay = await Relay.open(server, outlet);
      return { methods: relay, close: () => relay.close() };
    },
    close: async () => {
      const relay = await shared?.catch(() => undefined);
      await relay?.close();
    },
  };
}

/** Passes calls to a stdio server and its notifications and questions back to the call they belong to. */
class Relay implements MethodTable {
  readonly #outlet: Outlet | undefined;
  readonly #calls = new Map<number, CallContext>();
  readonly #schemas = new Map<string, JsonSchema>();
  #connection: Connection | undefined;

  private constructor(outlet: Outlet | undefined) {
    this.#outlet = outlet;
  }

  static async open({ onConnection, ...server }: StdioServer, outlet?: Outlet): Promise<Relay> {
    const relay = new Relay(outlet);
    await relay.#connect(server, onConnection);
    return relay;
  }

  get isAlive(): boolean {
    return this.#connection?.isRunning ?? false;
  }

  /** Input schema of a tool, once a client has listed the tools. */
  inputSchema(tool: string): JsonSchema | undefined {
    return this.#schemas.get(tool);
  }

  /** Whether the server knows a method is for the server to say. */
  find(method: string): Handler {
    return (params, call) => this.#pass(method, params as object | undefined, call);
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #connect(
    server: Omit<StdioServer, 'onConnection'>,
    onConnection: StdioServer['onConnection'],
  ): Promise<void> {
    this.#connection = await spawnServer({ ...server, methods: this.#clientMethods() });
    onConnection?.(this.#connection);
  }

  async #pass(method: string, params: object | undefined, call: CallContext): Promise<unknown> {
    const connection = this.#connection;
    if (call.id === undefined) return connection?.notify(method, params);
    let id = 0;
    try {
      // The client's own clock bounds the call; a deadline here would only cut it short.
      return await connection
        ?.request(method, params, {
          timeoutMs: 0,
          signal: call.signal,
          onId: (sent) => {
            id = sent;
            this.#calls.set(sent, call);
          },
          ...(call.wantsProgress && { onProgress: (progress) => call.progress(progress) }),
        })
        .then((result) => this.#observe(method, restoreId(result, id, call)));
    } finally {
      this.#calls.delete(id);
    }
  }

  #observe(method: string, result: unknown): unknown {
    const tools: unknown =
      method === 'tools/list' ? Reflect.get(result as object, 'tools') : undefined;
    for (const { name, inputSchema } of Array.isArray(tools) ? tools : [])
      this.#schemas.set(name, inputSchema);
    return result;
  }

  /** Questions of the server go to the client whose call is under way. */
  #clientMethods(): MethodTable {
    return {
      find: (method) => (params, call) => {
        if (call.id === undefined) return this.#onNotification(method, params);
        const options = { timeoutMs: 0, signal: call.signal };
        return this.#current()?.request(method, params as object | undefined, options);
      },
    };
  }

  #onNotification(method: string, params: unknown): void {
    const subscription = metaOf(params)?.[META_SUBSCRIPTION];
    const listener = typeof subscription === 'number' ? this.#calls.get(subscription) : undefined;
    const target = listener ?? this.#current();
    const passed =
      listener === undefined ? params : restoreId(params, Number(subscription), listener);
    target?.notify(method, passed as object | undefined).catch(() => undefined);
  }

  /** The call a message without an address most likely belongs to: the newest one, else the session. */
  #current(): Outlet | undefined {
    return [...this.#calls.values()].at(-1) ?? this.#outlet;
  }
}

/** Puts the client's id where the server was given ours. */
function restoreId(value: unknown, ours: number, call: CallContext): unknown {
  const meta = metaOf(value);
  if (meta?.[META_SUBSCRIPTION] !== ours) return value;
  return { ...(value as object), _meta: { ...meta, [META_SUBSCRIPTION]: call.id } };
}
