import type { Implementation } from '../protocol/capabilities.ts';
import type { ContentBlock, PromptMessage, ResourceContents } from '../protocol/content.ts';
import type { JsonSchema, ObjectSchema } from '../schema/json-schema.ts';
import type { RequestContext } from './request-context.ts';

/** What a client may assume about a tool. All four are said: the protocol's defaults are the worst case. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The answer of a tool without an output schema. */
export type ToolOutput =
  | string
  | readonly ContentBlock[]
  | {
      readonly content: readonly ContentBlock[];
      readonly structuredContent?: object;
      readonly isError?: boolean;
    };

/** A tool, declared once. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** With an output schema the handler returns the structured result itself. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** The handler checks its arguments itself, in its own words; the input schema is only shown. Default false. */
  readonly checksArguments?: boolean;
  readonly icons?: readonly { readonly src: string; readonly mimeType?: string }[];
  readonly _meta?: object;
  handler(args: Readonly<Record<string, unknown>>, context: RequestContext): unknown;
}

/** Suggests values for an argument, given what is typed so far and the arguments already known. */
export type Completer = (
  value: string,
  known: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

type ReadResult = string | ResourceContents | readonly ResourceContents[];

/** Something a client may read. */
export interface Resource extends Described {
  readonly uri: string;
  readonly size?: number;
  read(uri: string, context: RequestContext): ReadResult | Promise<ReadResult>;
}

/** Resources that share the form of their address, such as `note:///{id}`. */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly complete?: Readonly<Record<string, Completer>>;
  /** Reads one; undefined when there is none at this address. */
  read(
    variables: Readonly<Record<string, string>>,
    context: RequestContext & { readonly uri: string },
  ): ReadResult | undefined | Promise<ReadResult | undefined>;
}

/** One page of resources that are not known beforehand. */
export interface ResourcePage {
  readonly resources: readonly Omit<Resource, 'read'>[];
  readonly nextCursor?: string;
}

/** A message a person may choose to start with. */
export interface Prompt extends Omit<Described, 'mimeType'> {
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly complete?: Completer;
  }[];
  get(
    args: Readonly<Record<string, string>>,
    context: RequestContext,
  ): PromptOutput | Promise<PromptOutput>;
}

/** The answer of a prompt: one user message, several, or several with a description. */
export type PromptOutput =
  | string
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

/** Everything a server author writes. */
export interface ServerDefinition extends Implementation {
  /** When to use the server, in a few sentences for the model. */
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
  /** Lists resources that come and go, behind those declared. */
  readonly listResources?: (
    cursor: string | undefined,
    context: RequestContext,
  ) => Promise<ResourcePage>;
  readonly prompts?: readonly Prompt[];
  /** Whether handlers use `context.log`, or the server `log`. Default false. */
  readonly logging?: boolean;
  /** Whether the lists change while the server runs, so that clients are told. Default false. */
  readonly listChanged?: boolean;
  /** Whether clients may watch resources. Default false. */
  readonly subscribe?: boolean;
  /** Elements in one page of a list. Default all. */
  readonly pageSize?: number;
  /** How long a modern client may keep lists and resources. Default not at all. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  /** Protocol errors instead of error results for unknown tools and failures; for older contracts. */
  readonly toolErrors?: ToolErrorPolicy;
}

/** What becomes of the three ways a tool call can fail. Each returns the error to answer with, or throws it. */
export interface ToolErrorPolicy {
  unknownTool?(name: string): Error;
  invalidArguments?(tool: string, message: string): Error;
  failure?(tool: string, error: unknown): Error;
}
