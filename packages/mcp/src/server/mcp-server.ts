import { type CallContext, ErrorCode, type RunOptions, runServer, WireError } from 'tincan-wire';
import type { Implementation, ServerCapabilities } from '../protocol/capabilities.ts';
import { META_SERVER_INFO, metaOf } from '../protocol/envelope.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { type LegacyVersion, MODERN_VERSIONS } from '../protocol/revisions.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { complete, hasCompletions } from './completions.ts';
import type { ServerDefinition } from './definition.ts';
import { InputRequired } from './input-required.ts';
import { pageOf } from './pages.ts';
import { getPrompt, listedPrompts } from './prompts.ts';
import { type Caller, RequestContext } from './request-context.ts';
import type { RequestState } from './request-state.ts';
import { ResourceCatalogue } from './resources.ts';
import { Session } from './session.ts';
import type { ListName, SubscriptionFilter, Subscriptions } from './subscriptions.ts';
import { ProtocolError } from './tool-error.ts';
import { ToolCatalogue } from './tools.ts';

/** A method both eras have. */
type Method = (params: object, context: RequestContext) => object | Promise<object>;

/** A modern result on its way out. */
interface Finished {
  resultType: string;
  readonly _meta: object;
}

const LEGACY_ONLY: readonly string[] = [
  'initialize',
  'notifications/initialized',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
];
const MODERN_ONLY: readonly string[] = ['server/discover', 'subscriptions/listen'];
/** Results of these may be kept by a modern client for a while. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' } as const;
/** Methods whose handlers may put questions to a modern client. */
const ASKING: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** A server for the Model Context Protocol: what it offers, whichever way and era it is reached. */
export class McpServer {
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly #definition: ServerDefinition;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #sessions = new Set<Session>();
  readonly #resultMeta: object;
  #state: Promise<RequestState> | undefined;

  constructor(definition: ServerDefinition) {
    const { name, version, title, description, websiteUrl } = definition;
    for (const [key, value] of Object.entries({ name, version })) {
      if (typeof value !== 'string' || value === '') {
        throw new WireError(
          'BAD_OPTION',
          `expected \`${key}\` to be a non-empty string, got \`${String(value)}\``,
        );
      }
    }
    const { pageSize = 1 } = definition;
    if (!(pageSize >= 1)) {
      throw new WireError(
        'BAD_OPTION',
        `expected \`pageSize\` to be at least 1, got \`${pageSize}\``,
      );
    }
    this.#definition = definition;
    this.info = {
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
    };
    this.#resultMeta = { [META_SERVER_INFO]: this.info };
    this.#methods = methodsOf(definition);
    this.capabilities = capabilitiesOf(definition, this.#methods);
  }

  /** Makes this process the server, on stdin and stdout. Ends the process when the client is done. */
  async serve(options: RunOptions = {}): Promise<never> {
    const session = this.session();
    return runServer(session, {
      ...options,
      onPeer: (peer) => {
        session.attach(peer);
        peer.once('draining', () => session.end());
        options.onPeer?.(peer);
      },
    });
  }

  /** State and methods for one connection. */
  session(): Session {
    const session = new Session(this);
    this.#sessions.add(session);
    return session;
  }

  leave(session: Session): void {
    this.#sessions.delete(session);
  }

  /** Tells every client that a list has changed. */
  listChanged(list: ListName): void {
    for (const session of this.#sessions) session.listChanged(list);
  }

  /** Tells the clients that watch a resource that it has changed. */
  resourceUpdated(uri: string): void {
    for (const session of this.#sessions) session.resourceUpdated(uri);
  }

  /** Tells every client that wants messages of this severity something that no request asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    for (const session of this.#sessions) session.log(level, data, logger);
  }

  /** Input schema of a tool. */
  inputSchema(tool: string): JsonSchema | undefined {
    return this.#definition.tools?.find(({ name }) => name === tool)?.inputSchema;
  }

  /** Whether a method exists in any era, given what the server offers. */
  knows(method: string): boolean {
    if (method === 'logging/setLevel') return this.#definition.logging === true;
    if (method.startsWith('resources/') && method.endsWith('subscribe'))
      return this.#definition.subscribe === true;
    return (
      this.#methods.has(method) || LEGACY_ONLY.includes(method) || MODERN_ONLY.includes(method)
    );
  }

  initializeResult(protocolVersion: LegacyVersion): object {
    const { instructions } = this.#definition;
    return {
      protocolVersion,
      capabilities: this.capabilities,
      serverInfo: this.info,
      ...(instructions !== undefined && { instructions }),
    };
  }

  handleLegacy(
    method: string,
    params: object,
    caller: Caller,
    call: CallContext,
  ): object | Promise<object> {
    return this.#method(method)(params, new RequestContext(caller, call));
  }

  handleModern(
    method: string,
    params: object,
    caller: Caller,
    call: CallContext,
    subscriptions: Subscriptions,
  ): Promise<object> {
    if (ASKING.has(method)) return this.#runAsking(method, params, caller, call);
    return this.#runPlain(method, params, caller, call, subscriptions);
  }

  async #runPlain(
    method: string,
    params: object,
    caller: Caller,
    call: CallContext,
    subscriptions: Subscriptions,
  ): Promise<object> {
    if (method === 'server/discover') return this.#finish(method, this.#discoverResult());
    if (method === 'subscriptions/listen') {
      return this.#finish(method, await subscriptions.listen(this.#honoured(params), call));
    }
    const run = this.#method(method);
    return this.#finish(method, await run(params, new RequestContext(caller, call)));
  }

  async #runAsking(
    method: string,
    params: object,
    caller: Caller,
    call: CallContext,
  ): Promise<object> {
    const { requestState, inputResponses = {} } = params as {
      requestState?: unknown;
      inputResponses?: Record<string, unknown>;
    };
    if (typeof inputResponses !== 'object' || inputResponses === null) {
      const message = 'expected `inputResponses` to be an object';
      throw new ProtocolError(ErrorCode.InvalidParams, message, { path: 'inputResponses' });
    }
    let answers = inputResponses;
    if (requestState !== undefined) {
      const state = await this.#requestState();
      answers = { ...state.open(requestState, identityOf(method, params), Date.now()), ...answers };
    }
    try {
      return this.#finish(
        method,
        await this.#method(method)(params, new RequestContext(caller, call, answers)),
      );
    } catch (error) {
      if (!(error instanceof InputRequired)) throw error;
      const state = await this.#requestState();
      const requestState = state.seal(answers, identityOf(method, params), Date.now());
      return { resultType: 'input_required', inputRequests: error.requests, requestState };
    }
  }

  #method(name: string): Method {
    const method = this.#methods.get(name);
    if (method !== undefined) return method;
    throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found', { method: name });
  }

  #discoverResult(): object {
    const { instructions } = this.#definition;
    return {
      supportedVersions: [...MODERN_VERSIONS],
      capabilities: this.capabilities,
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** The part of a subscription this server can keep. */
  #honoured(params: object): SubscriptionFilter {
    const wanted = Reflect.get(params, 'notifications') as SubscriptionFilter | undefined;
    if (typeof wanted !== 'object' || wanted === null) {
      throw new ProtocolError(ErrorCode.InvalidParams, 'expected `notifications` to be an object', {
        path: 'notifications',
      });
    }
    const { tools, prompts, resources } = this.capabilities;
    return {
      ...(wanted.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
      ...(wanted.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
      ...(wanted.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true }),
      ...(Array.isArray(wanted.resourceSubscriptions) &&
        resources?.subscribe && { resourceSubscriptions: wanted.resourceSubscriptions }),
    };
  }

  /** Adds what every modern result carries. */
  #finish(method: string, result: object): object {
    const meta = metaOf(result);
    const _meta = meta === undefined ? this.#resultMeta : { ...meta, ...this.#resultMeta };
    // Members after a spread are put in one by one, which takes longer than all the rest of a call.
    const finished: Finished = { resultType: 'complete', ...result, _meta };
    finished.resultType = 'complete';
    if (!CACHEABLE.has(method)) return finished;
    const { ttlMs, cacheScope } = this.#definition.cache ?? NOT_CACHED;
    return Object.assign(finished, { ttlMs, cacheScope });
  }

  #requestState(): Promise<RequestState> {
    // Cryptography is loaded when the first question is asked.
    this.#state ??= import('./request-state.ts').then((module) => new module.RequestState());
    return this.#state;
  }
}

/** What makes two requests the same call: everything but the answers and the envelope. */
function identityOf(method: string, params: object): object {
  const {
    requestState: _state,
    inputResponses: _answers,
    _meta,
    ...asked
  } = params as Record<string, unknown>;
  return { method, ...asked };
}

function methodsOf(definition: ServerDefinition): ReadonlyMap<string, Method> {
  const { pageSize = Number.POSITIVE_INFINITY, prompts } = definition;
  const methods = new Map<string, Method>();
  const tools = new ToolCatalogue(definition.tools ?? [], definition.toolErrors);
  if (definition.tools !== undefined) {
    methods.set('tools/list', (params, { caller }) =>
      listPage('tools', tools.listed[caller.era], params, pageSize),
    );
    methods.set('tools/call', (params, context) => tools.call(params, context));
  }
  const resources = new ResourceCatalogue(definition, pageSize);
  if (!resources.isEmpty) {
    methods.set('resources/list', (params, context) => resources.list(params, context));
    methods.set('resources/templates/list', (params) => resources.listTemplates(params));
    methods.set('resources/read', (params, context) => resources.read(params, context));
  }
  if (prompts !== undefined) {
    const listed = listedPrompts(prompts);
    methods.set('prompts/list', (params) => listPage('prompts', listed, params, pageSize));
    methods.set('prompts/get', (params, context) => getPrompt(prompts, params, context));
  }
  if (hasCompletions(definition)) {
    methods.set('completion/complete', (params) => complete(definition, params));
  }
  return methods;
}

function listPage(name: string, all: readonly object[], params: object, pageSize: number): object {
  const { items, nextCursor } = pageOf(all, Reflect.get(params, 'cursor'), pageSize);
  return { [name]: items, ...(nextCursor !== undefined && { nextCursor }) };
}

function capabilitiesOf(
  { listChanged, subscribe, logging }: ServerDefinition,
  methods: ReadonlyMap<string, Method>,
): ServerCapabilities {
  const changes = listChanged === true ? { listChanged: true } : {};
  return {
    ...(methods.has('tools/list') && { tools: changes }),
    ...(methods.has('resources/list') && {
      resources: { ...changes, ...(subscribe === true && { subscribe: true }) },
    }),
    ...(methods.has('prompts/list') && { prompts: changes }),
    ...(methods.has('completion/complete') && { completions: {} }),
    ...(logging === true && { logging: {} }),
  };
}
