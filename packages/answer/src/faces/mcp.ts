import {
  McpServer,
  ProtocolError,
  type ServerDefinition,
  ToolError,
  type ToolErrorPolicy,
} from 'tincan-mcp';
import type { Answerer } from '../answer/answerer.ts';
import { badArguments } from '../answer/check-arguments.ts';
import { instructions, tools } from '../answer/tools.ts';
import { AnswerError, errorData } from '../answer-error.ts';
import { redact } from '../redact.ts';

/** What the MCP face is made with. */
export interface McpFaceOptions {
  readonly version: string;
  /** `reference` keeps the error codes of the server this one stands in for. */
  readonly errors: 'reference' | 'spec';
  /** Called at the first question, so that nothing is loaded before. */
  readonly answerer: () => Promise<Answerer>;
}

/** The answer tools as an MCP server. */
export function createMcpFace({ version, errors, answerer }: McpFaceOptions): McpServer {
  const definition: ServerDefinition = {
    name: 'tincan-answer',
    version,
    instructions,
    tools: tools.map((tool) => ({
      ...tool,
      async handler(args, context) {
        const { ask } = await answerer();
        try {
          return await ask(tool.name, args, {
            signal: context.signal,
            onProgress: ({ progress, message }) => context.progress(progress, undefined, message),
          });
        } catch (error) {
          throw errors === 'spec' ? readable(error) : error;
        }
      },
    })),
    ...(errors === 'reference' && { toolErrors: referenceErrors }),
  };
  return new McpServer(definition);
}

const UNKNOWN_TOOL = -32601;
const ANSWER_FAILED = -32001;

/** Every failure is a protocol error of one code, told apart by its `data`. */
const referenceErrors: ToolErrorPolicy = {
  unknownTool: () => new ProtocolError(UNKNOWN_TOOL, 'Unknown tool'),
  invalidArguments: (_, message) => answerFailed(badArguments(message)),
  failure: (_, error) => answerFailed(error),
};

function answerFailed(error: unknown): ProtocolError {
  const data = error instanceof AnswerError ? errorData(error) : { message: String(error) };
  // The message may quote an argument, which may hold a key.
  return new ProtocolError(ANSWER_FAILED, 'answer failed', {
    ...data,
    message: redact(error instanceof Error ? error.message : String(error)),
  });
}

/** The failure as text a model can act on. */
function readable(error: unknown): unknown {
  if (!(error instanceof AnswerError)) return error;
  const { kind, message, hint, partial } = error;
  const advice = hint === undefined ? '' : ` (${hint})`;
  const text = partial === undefined ? '' : `\n\nThe answer so far:\n${partial}`;
  return new ToolError(redact(`${kind}: ${message}${advice}${text}`));
}
