import { type Progress, type RequestOptions, WireError } from 'tincan-wire';
import type { ContentBlock, PromptMessage, ResourceContents } from '../protocol/content.ts';
import { META_LOG_LEVEL, metaOf } from '../protocol/envelope.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { paramHeadersOf } from '../protocol/param-headers.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { validate } from '../schema/validate.ts';
import type { InputRequest } from '../server/input-required.ts';
import { describeProblems } from '../server/tools.ts';
import { answerInput, type InputHandlers } from './input-handlers.ts';
import type { Line } from './line.ts';
import { type Agreement, type ClientIdentity, envelopeOf } from './negotiate.ts';

/** How one call is followed. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly maxTotalMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: object;
}

/** What a tool answered. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** A resource, template or prompt as a server lists it. */
export type Listed = Readonly<Record<string, unknown>> & { readonly name: string };

/** Rounds of questions after which a server is taken to ask for ever. */
const MAX_ROUNDS = 16;
/** Pages after which a list is taken to be endless. */
const MAX_PAGES = 1000;

/** A connection to an MCP server, of either era. */
export class McpClient implements AsyncDisposable {
  readonly agreement: Agreement;
  readonly #line: Line;
  readonly #identity: ClientIdentity;
  readonly #handlers: InputHandlers;
  #logLevel: LogLevel | undefined;
  #outputSchemas: Map<string, JsonSchema> | undefined;

  constructor(line: Line, agreement: Agreement, identity: ClientIdentity, handlers: InputHandlers) {
    this.agreement = agreement;
    this.#line = line;
    this.#identity = identity;
    this.#handlers = handlers;
    line.onNotification((method) => {
      if (method === 'notifications/tools/list_changed') this.#outputSchemas = undefined;
    });
  }

  /** Hears of the server's notifications: log messages, changed lists, updated resources. */
  onNotification(listener: (method: string, params: unknown) => void): void {
    this.#line.onNotification(listener);
  }

  /** All tools, from as many pages as the server has. */
  async listTools(options: CallOptions = {}): Promise<ListedTool[]> {
    const listed = (await this.#listAll('tools/list', 'tools', options)) as ListedTool[];
    // One tool with a broken mark must not take the others with it.
    const tools = listed.filter(({ inputSchema }) => paramHeadersOf(inputSchema) !== undefined);
    this.#outputSchemas = new Map(
      tools.flatMap(({ name, outputSchema }) =>
        outputSchema === undefined ? [] : [[name, outputSchema]],
      ),
    );
    return tools;
  }

  /** Calls a tool. A result that does not fit the tool's output schema is refused. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallResult> {
    const result = (await this.#askedRequest(
      'tools/call',
      { name, arguments: args },
      options,
    )) as CallResult;
    if (!Array.isArray(result?.content) && result?.structuredContent === undefined) {
      throw new WireError('PARSE', `the answer of tool \`${name}\` has no content`);
    }
    if (result.structuredContent !== undefined && result.isError !== true) {
      await this.#checkOutput(name, result.structuredContent, options);
    }
    return result;
  }

  async listResources(options: CallOptions = {}): Promise<Listed[]> {
    return (await this.#listAll('resources/list', 'resources', options)) as Listed[];
  }

  async listResourceTemplates(options: CallOptions = {}): Promise<Listed[]> {
    return (await this.#listAll(
      'resources/templates/list',
      'resourceTemplates',
      options,
    )) as Listed[];
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ResourceContents[]> {
    const result = (await this.#askedRequest('resources/read', { uri }, options)) as {
      contents: ResourceContents[];
    };
    return result.contents;
  }

  async listPrompts(options: CallOptions = {}): Promise<Listed[]> {
    return (await this.#listAll('prompts/list', 'prompts', options)) as Listed[];
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<{ readonly description?: string; readonly messages: readonly PromptMessage[] }> {
    return (await this.#askedRequest('prompts/get', { name, arguments: args }, options)) as {
      messages: PromptMessage[];
    };
  }

  /** Suggestions for an argument of a prompt or of a resource template. */
  async complete(
    ref:
      | { readonly type: 'ref/prompt'; readonly name: string }
      | { readonly type: 'ref/resource'; readonly uri: string },
    argument: { readonly name: string; readonly value: string },
    options: CallOptions = {},
  ): Promise<readonly string[]> {
    const result = (await this.request('completion/complete', { ref, argument }, options)) as {
      completion: { values: string[] };
    };
    return result.completion.values;
  }

  /** Sees whether the server answers. Modern servers have no ping; discovery does as well. */
  async ping(options: CallOptions = {}): Promise<void> {
    await this.request(this.agreement.era === 'legacy' ? 'ping' : 'server/discover', {}, options);
  }

  /** Asks for log messages of this severity and above. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level;
    if (this.agreement.era === 'legacy') await this.request('logging/setLevel', { level });
  }

  /** Sends any request, with what the era wants around it. */
  request(method: string, params: object = {}, options: CallOptions = {}): Promise<unknown> {
    return this.#line.request(method, this.#wrap(params), requestOptions(options));
  }

  async close(): Promise<void> {
    await this.#line.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #wrap(params: object): object {
    if (this.agreement.era === 'legacy') return params;
    const level = this.#logLevel === undefined ? {} : { [META_LOG_LEVEL]: this.#logLevel };
    const envelope = envelopeOf(this.#identity, this.agreement.protocolVersion);
    return { ...params, _meta: { ...metaOf(params), ...envelope, ...level } };
  }

  /** A request whose handler may ask back: answers the questions and calls again, as often as needed. */
  async #askedRequest(method: string, params: object, options: CallOptions): Promise<unknown> {
    let extra: object = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = (await this.request(method, { ...params, ...extra }, options)) as {
        resultType?: unknown;
        inputRequests?: Readonly<Record<string, InputRequest>>;
        requestState?: string;
      } | null;
      const { resultType = 'complete', inputRequests = {}, requestState } = result ?? {};
      if (resultType === 'complete') return result;
      if (resultType !== 'input_required') {
        throw new WireError(
          'PARSE',
          `unknown result type \`${String(resultType)}\` from \`${method}\``,
        );
      }
      const inputResponses: Record<string, object> = {};
      for (const [key, request] of Object.entries(inputRequests)) {
        inputResponses[key] = await answerInput(this.#handlers, request.method, request.params);
      }
      extra = { inputResponses, ...(requestState !== undefined && { requestState }) };
    }
    throw new WireError('PARSE', `\`${method}\` still asks after ${MAX_ROUNDS} rounds of answers`);
  }

  async #listAll(method: string, member: string, options: CallOptions): Promise<unknown[]> {
    const all: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = (await this.request(method, params, options)) as Record<
        string,
        unknown
      > | null;
      const items = result?.[member];
      if (!Array.isArray(items))
        throw new WireError('PARSE', `the answer to \`${method}\` has no \`${member}\``);
      all.push(...items);
      // An empty cursor is a cursor: only its absence ends the list.
      const next = result?.['nextCursor'];
      if (typeof next !== 'string') return all;
      cursor = next;
    }
    throw new WireError('PARSE', `\`${method}\` did not end within ${MAX_PAGES} pages`);
  }

  async #checkOutput(tool: string, output: unknown, options: CallOptions): Promise<void> {
    if (this.#outputSchemas === undefined) await this.listTools(options);
    const schema = this.#outputSchemas?.get(tool);
    const problems = schema === undefined ? [] : validate(schema, output);
    if (problems.length === 0) return;
    const message = `the result of tool \`${tool}\` does not fit its schema: ${describeProblems(problems)}`;
    throw new WireError('PARSE', message);
  }
}

function requestOptions({
  timeoutMs,
  maxTotalMs,
  signal,
  onProgress,
}: CallOptions): RequestOptions {
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxTotalMs !== undefined && { maxTotalMs }),
    ...(signal !== undefined && { signal }),
    ...(onProgress !== undefined && { onProgress }),
  };
}
