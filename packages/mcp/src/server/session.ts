import {
  type CallContext,
  ErrorCode,
  type Handler,
  type MethodTable,
  type Outlet,
} from 'tincan-wire';
import type { ClientCapabilities, Implementation } from '../protocol/capabilities.ts';
import { isModernRequest, readEnvelope } from '../protocol/envelope.ts';
import { isLogLevel, type LogLevel, reaches } from '../protocol/logging.ts';
import { LATEST_LEGACY, type LegacyVersion, negotiateLegacy } from '../protocol/revisions.ts';
import type { McpServer } from './mcp-server.ts';
import type { Caller } from './request-context.ts';
import { type ListName, Subscriptions } from './subscriptions.ts';
import { ProtocolError } from './tool-error.ts';

/**
 * One connection to a server: decides for each message which era it belongs to. What the handshake of the
 * legacy era settles is kept here; modern messages neither read nor change it.
 */
export class Session implements MethodTable {
  readonly #server: McpServer;
  readonly #handlers = new Map<string, Handler>();
  readonly #subscriptions = new Subscriptions();
  readonly #watched = new Set<string>();
  #outlet: Pick<Outlet, 'notify'> | undefined;
  #version: LegacyVersion = LATEST_LEGACY;
  #capabilities: ClientCapabilities = {};
  #clientInfo: Implementation | undefined;
  /** A server that does not declare log messages sends none. */
  #logLevel: LogLevel | undefined;
  #isInitialized = false;

  constructor(server: McpServer) {
    this.#server = server;
    if (server.capabilities.logging !== undefined) this.#logLevel = 'info';
  }

  /** Version agreed on by the handshake. */
  get protocolVersion(): LegacyVersion {
    return this.#version;
  }

  /** Gives the session a way to speak without being asked. */
  attach(outlet: Pick<Outlet, 'notify'>): void {
    this.#outlet = outlet;
  }

  find(method: string): Handler | undefined {
    let handler = this.#handlers.get(method);
    if (handler === undefined && this.#server.knows(method)) {
      handler = (params, call) => this.#handle(method, params ?? {}, call);
      this.#handlers.set(method, handler);
    }
    return handler;
  }

  /** Tells this client, of whichever era, that a list has changed. */
  listChanged(list: ListName): void {
    this.#subscriptions.listChanged(list);
    if (this.#isInitialized) this.#notify(`notifications/${list}/list_changed`);
  }

  /** Tells this client, if it watches the resource, that it has changed. */
  resourceUpdated(uri: string): void {
    this.#subscriptions.resourceUpdated(uri);
    if (this.#watched.has(uri)) this.#notify('notifications/resources/updated', { uri });
  }

  /** Sends this client a log message that no request asked for; modern clients hear of their requests only. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.#isInitialized || this.#logLevel === undefined) return;
    if (!reaches(level, this.#logLevel)) return;
    const params = logger === undefined ? { level, data } : { level, logger, data };
    this.#notify('notifications/message', params);
  }

  /** Answers what would otherwise stay open. Called when the connection is about to end. */
  end(): void {
    this.#subscriptions.end();
    this.#server.leave(this);
  }

  #handle(method: string, params: unknown, call: CallContext): unknown {
    if (call.id === null) {
      throw new ProtocolError(ErrorCode.InvalidRequest, 'expected `id` to be a string or a number');
    }
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      throw new ProtocolError(ErrorCode.InvalidParams, 'expected `params` to be an object');
    }
    if (isModernRequest(method, params)) {
      const caller = this.#modernCaller(params);
      return this.#server.handleModern(method, params, caller, call, this.#subscriptions);
    }
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'notifications/initialized':
        this.#isInitialized = true;
        return {};
      case 'ping':
        return {};
      case 'logging/setLevel':
        return this.#setLevel(params);
      case 'resources/subscribe':
        this.#watched.add(uriOf(params));
        return {};
      case 'resources/unsubscribe':
        this.#watched.delete(uriOf(params));
        return {};
      default:
        return this.#server.handleLegacy(method, params, this.#caller(), call);
    }
  }

  #initialize(params: object): object {
    const { protocolVersion, capabilities, clientInfo } = params as {
      protocolVersion?: unknown;
      capabilities?: ClientCapabilities;
      clientInfo?: Implementation;
    };
    this.#version = negotiateLegacy(protocolVersion);
    this.#capabilities =
      typeof capabilities === 'object' && capabilities !== null ? capabilities : {};
    this.#clientInfo = clientInfo;
    return this.#server.initializeResult(this.#version);
  }

  #setLevel(params: object): object {
    const level: unknown = Reflect.get(params, 'level');
    if (!isLogLevel(level)) {
      throw new ProtocolError(ErrorCode.InvalidParams, `unknown log level \`${String(level)}\``, {
        path: 'level',
      });
    }
    this.#logLevel = level;
    return {};
  }

  #caller(): Caller {
    return {
      era: 'legacy',
      protocolVersion: this.#version,
      clientCapabilities: this.#capabilities,
      clientInfo: this.#clientInfo,
      logLevel: this.#logLevel,
    };
  }

  /** Written out member by member: it is made for every modern request. */
  #modernCaller(params: object): Caller {
    const { protocolVersion, clientCapabilities, clientInfo, logLevel } = readEnvelope(params);
    return {
      era: 'modern',
      protocolVersion,
      clientCapabilities,
      clientInfo,
      logLevel: this.#logLevel === undefined ? undefined : logLevel,
    };
  }

  #notify(method: string, params?: object): void {
    this.#outlet?.notify(method, params).catch(() => undefined);
  }
}

function uriOf(params: object): string {
  const uri: unknown = Reflect.get(params, 'uri');
  if (typeof uri === 'string') return uri;
  throw new ProtocolError(ErrorCode.InvalidParams, 'expected `uri` to be a string', {
    path: 'uri',
  });
}
