import { ErrorCode, WireError } from 'tincan-wire';
import type { ContentBlock } from '../protocol/content.ts';
import { type SchemaProblem, validate } from '../schema/validate.ts';
import type { ServerDefinition, Tool } from './definition.ts';
import { InputRequired } from './input-required.ts';
import type { Caller, RequestContext } from './request-context.ts';
import { ProtocolError } from './tool-error.ts';

/** The answer to `tools/call`. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The tools of a server: what they are, and how they are called. */
export class ToolCatalogue {
  /** Tools as a client of each era sees them. */
  readonly listed: Readonly<Record<Caller['era'], readonly object[]>>;
  readonly #tools = new Map<string, Tool>();
  readonly #policy: NonNullable<ServerDefinition['toolErrors']>;

  constructor(tools: readonly Tool[], policy: ServerDefinition['toolErrors'] = {}) {
    this.#policy = policy;
    for (const tool of tools) {
      if (!NAME.test(tool.name)) {
        const expected = 'expected a tool name of 1 to 128 letters, digits, `_`, `-` or `.`';
        throw new WireError('BAD_OPTION', `${expected}, got \`${tool.name}\``);
      }
      if (this.#tools.has(tool.name)) {
        throw new WireError('BAD_OPTION', `tool \`${tool.name}\` is declared twice`);
      }
      this.#tools.set(tool.name, tool);
    }
    const modern = tools.map(({ handler: _, checksArguments: _checks, ...shown }) => shown);
    this.listed = { modern, legacy: modern.map(withoutForeignOutput) };
  }

  /** Runs a tool. What the model can mend comes back as a result with `isError`. */
  async call(params: object, context: RequestContext): Promise<ToolResult> {
    const { name, arguments: args = {} } = params as { name?: unknown; arguments?: unknown };
    if (typeof name !== 'string') throw invalid('expected `name` to be a string', 'name');
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      throw this.#policy.unknownTool?.(name) ?? invalid(`unknown tool \`${name}\``, 'name');
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw invalid('expected `arguments` to be an object', 'arguments');
    }
    const problems = tool.checksArguments === true ? [] : validate(tool.inputSchema, args);
    if (problems.length > 0) return this.#refuse(name, describeProblems(problems));
    let output: unknown;
    try {
      output = await tool.handler(args as Record<string, unknown>, context);
    } catch (error) {
      return this.#fail(name, error);
    }
    return resultOf(tool, output, context.caller.era);
  }

  #refuse(name: string, message: string): ToolResult {
    const error = this.#policy.invalidArguments?.(name, message);
    if (error !== undefined) throw error;
    return errorResult(`invalid arguments for \`${name}\`: ${message}`);
  }

  #fail(name: string, error: unknown): ToolResult {
    if (error instanceof InputRequired || error instanceof ProtocolError) throw error;
    const mapped = this.#policy.failure?.(name, error);
    if (mapped !== undefined) throw mapped;
    return errorResult(error instanceof Error ? error.message : String(error));
  }
}

/** Problems in one sentence a model can act on. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  const shown = problems
    .slice(0, 5)
    .map(({ path, message }) => `${path === '' ? 'it' : `\`${path}\``} ${message}`);
  const more = problems.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** Legacy clients know output schemas of objects only, and refuse the whole list over another. */
function withoutForeignOutput<T extends Pick<Tool, 'outputSchema'>>(shown: T): object {
  const { outputSchema, ...rest } = shown;
  return outputSchema === undefined || outputSchema.type === 'object' ? shown : rest;
}

function resultOf(tool: Tool, output: unknown, era: Caller['era']): ToolResult {
  if (tool.outputSchema !== undefined) {
    const problems = validate(tool.outputSchema, output);
    if (problems.length > 0) {
      const message = `tool \`${tool.name}\` broke its output schema: ${describeProblems(problems)}`;
      throw new ProtocolError(ErrorCode.InternalError, message);
    }
    const content: ContentBlock[] = [{ type: 'text', text: JSON.stringify(output) }];
    const isKnown = era === 'modern' || tool.outputSchema.type === 'object';
    return isKnown ? { content, structuredContent: output } : { content };
  }
  if (typeof output === 'string') return { content: [{ type: 'text', text: output }] };
  if (Array.isArray(output)) return { content: output as ContentBlock[] };
  if (typeof output === 'object' && output !== null && 'content' in output)
    return output as ToolResult;
  return { content: [{ type: 'text', text: JSON.stringify(output ?? null) }] };
}

function errorResult(message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

function invalid(message: string, path: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, { path });
}
