import * as official from '@modelcontextprotocol/core';
import { handleMessage, type Outlet } from 'tincan-wire';
import { expect } from 'vitest';
import { McpServer, type ServerDefinition, type Tool } from '../src/index.ts';
import type { Session } from '../src/server/session.ts';

/** An answer as it stands on the wire. */
export interface Answer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A notification or request the server sent on its own account. */
export interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** The envelope of a modern request. */
export function modern(capabilities: object = {}, more: object = {}): object {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...more,
    },
  };
}

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A tool with as little around its handler as the types allow. */
export function tool(name: string, handler: Tool['handler'], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: READ_ONLY,
    handler,
    ...more,
  };
}

/** What the official packages say about results and notifications, by method. */
const RESULTS: Readonly<
  Record<string, { safeParse(value: unknown): { success: boolean; error?: unknown } }>
> = {
  initialize: official.InitializeResultSchema,
  'server/discover': official.DiscoverResultSchema,
  'tools/list': official.ListToolsResultSchema,
  'tools/call': official.CallToolResultSchema,
  'resources/list': official.ListResourcesResultSchema,
  'resources/templates/list': official.ListResourceTemplatesResultSchema,
  'resources/read': official.ReadResourceResultSchema,
  'prompts/list': official.ListPromptsResultSchema,
  'prompts/get': official.GetPromptResultSchema,
  'completion/complete': official.CompleteResultSchema,
  'subscriptions/listen': official.SubscriptionsListenResultSchema,
};

/** A connection to a server under test. Every message is held against the official schemas. */
export class Exchange {
  readonly server: McpServer;
  readonly session: Session;
  readonly sent: Sent[] = [];
  /** Answers the requests the server makes. */
  onRequest: (method: string, params: unknown) => unknown = () => {
    throw new Error('nobody expected a request');
  };
  #nextId = 1;

  constructor(definition: Partial<ServerDefinition> = {}) {
    this.server = new McpServer({ name: 'test', version: '1.2.3', ...definition });
    this.session = this.server.session();
    this.session.attach(this.outlet);
  }

  readonly outlet: Outlet = {
    notify: async (method, params) => {
      const schema = official.ServerNotificationSchema.safeParse({ method, params });
      if (method !== 'notifications/subscriptions/acknowledged') {
        expect(schema.success, `${method} ${JSON.stringify(params)}`).toBe(true);
      }
      this.sent.push({ method, params: (params ?? {}) as Record<string, unknown> });
    },
    request: async (method, params) => this.onRequest(method, params),
  };

  /** Sends a request and returns the answer, or undefined when none came. */
  async call(method: string, params?: object, signal?: AbortSignal): Promise<Answer | undefined> {
    const message = { jsonrpc: '2.0', id: this.#nextId++, method, params };
    const text = await handleMessage(this.session, JSON.stringify(message), {
      outlet: this.outlet,
      ...(signal && { signal }),
    });
    if (text === undefined) return undefined;
    const answer = JSON.parse(text) as Answer;
    expect(official.JSONRPCMessageSchema.safeParse(answer).success, text).toBe(true);
    const schema = RESULTS[method];
    const isQuestion = answer.result?.['resultType'] === 'input_required';
    if (answer.result !== undefined && schema !== undefined && !isQuestion) {
      expect(schema.safeParse(answer.result).success, text).toBe(true);
    }
    return answer;
  }

  /** Sends a notification, which nothing answers. */
  async notify(method: string, params?: object): Promise<void> {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params });
    expect(await handleMessage(this.session, text, { outlet: this.outlet })).toBeUndefined();
  }

  /** The result of a request that must succeed. */
  async result(method: string, params?: object): Promise<Record<string, unknown>> {
    const answer = await this.call(method, params);
    expect(answer?.error).toBeUndefined();
    return answer?.result ?? {};
  }

  /** The error of a request that must fail. */
  async error(method: string, params?: object): Promise<NonNullable<Answer['error']>> {
    const answer = await this.call(method, params);
    expect(answer?.result).toBeUndefined();
    return answer?.error ?? { code: 0, message: 'no error' };
  }
}
