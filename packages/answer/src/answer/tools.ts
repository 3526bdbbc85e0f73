import type { JsonSchema, Tool } from 'tincan-mcp';

/** The name of a tool this server offers. */
export type ToolName = 'answer' | 'answer_detailed' | 'answer_quick';

/** A tool as it is listed; a face adds the handler. */
export type ToolDefinition = Omit<Tool, 'handler' | 'name' | 'outputSchema'> & {
  readonly name: ToolName;
  readonly outputSchema: JsonSchema;
};

/** The schema of a tool's arguments. */
export type InputSchema = Tool['inputSchema'];

const query = {
  type: 'string',
  minLength: 1,
  maxLength: 100_000,
  pattern: '\\S',
  description: 'The question, in any language.',
};
const fresh = {
  type: 'boolean',
  description: 'Ask anew even if the answer is remembered.',
};
const searchProperties = {
  recency_days: {
    type: 'number',
    minimum: 0,
    maximum: 36_500,
    description: 'How old sources may be, in days.',
  },
  max_results: {
    type: 'number',
    minimum: 1,
    maximum: 50,
    description: 'How many sources to look at.',
  },
  domains: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 253 },
    maxItems: 100,
    description: 'Search only these domains and their subdomains.',
  },
};

const fullInput: InputSchema = {
  type: 'object',
  properties: { query, ...searchProperties, fresh },
  required: ['query'],
};
const quickInput: InputSchema = {
  type: 'object',
  properties: { query, fresh },
  required: ['query'],
};

const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const count = { type: 'integer', minimum: 0 };

const citation = {
  type: 'object',
  properties: {
    url: { type: 'string', description: 'Address, or the id of a source that has none.' },
    title: { type: 'string' },
    published_at: { ...day, description: 'Only when known.' },
    accessed_at: day,
    spans: {
      type: 'array',
      items: { type: 'array', items: count, minItems: 2, maxItems: 2 },
      description: 'Start and end offsets in `answer` of the text it supports.',
    },
    verified: { type: 'string', enum: ['source-list', 'fetched', 'unverified', 'broken'] },
  },
  required: ['url', 'accessed_at', 'verified'],
};

const output: JsonSchema = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    used_search: { type: 'boolean' },
    citations: { type: 'array', items: citation },
    model: { type: 'string' },
    meta: {
      type: 'object',
      properties: {
        resolved_model: { type: 'string' },
        provider: { type: 'string' },
        status: { type: 'string', enum: ['completed'] },
        cached: { type: 'boolean' },
        cached_at: { type: 'string' },
        elapsed_ms: count,
        attempts: count,
        searches: count,
        usage: {
          type: 'object',
          properties: { input: count, cached: count, output: count, reasoning: count },
          required: ['input', 'cached', 'output', 'reasoning'],
        },
        cost: { type: 'number', minimum: 0 },
        request_id: { type: 'string' },
      },
      required: [
        'resolved_model',
        'provider',
        'status',
        'cached',
        'elapsed_ms',
        'attempts',
        'searches',
        'usage',
      ],
    },
  },
  required: ['answer', 'used_search', 'citations', 'model', 'meta'],
};

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** The tools, in the order they are listed. */
export const tools: readonly ToolDefinition[] = [
  {
    name: 'answer',
    title: 'Answer',
    description:
      'Search the web when needed and provide balanced, well-sourced answers. This is the standard general-purpose tool.',
    inputSchema: fullInput,
    outputSchema: output,
    annotations,
  },
  {
    name: 'answer_detailed',
    title: 'Answer in detail',
    description:
      'Perform comprehensive analysis with thorough research and detailed explanations. Best for complex questions requiring deep investigation.',
    inputSchema: fullInput,
    outputSchema: output,
    annotations,
  },
  {
    name: 'answer_quick',
    title: 'Answer quickly',
    description:
      'Provide fast, concise answers optimized for speed. Best for simple lookups or urgent questions.',
    inputSchema: quickInput,
    outputSchema: output,
    annotations,
  },
];

/** Said once to the client at the start: when to use this server. */
export const instructions: string =
  'Use these tools for questions whose answer may have changed or needs sources. `answer` suits most; `answer_quick` for lookups, `answer_detailed` for research. Repeated questions are answered from memory unless `fresh` is true.';
