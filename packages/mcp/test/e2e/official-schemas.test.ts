import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { LATEST_MODERN, LEGACY_VERSIONS, MODERN_VERSIONS } from '../../src/index.ts';
import { modern } from '../exchange.ts';
import { type Message, StdioProgram } from './stdio-program.ts';

/** Folder with `mcp-<revision>.json`, the official schemas; they are not part of the project. */
const FOLDER = process.env['MCP_SCHEMAS'] ?? '';
const CLIENT = { name: 'schemas', version: '1' };
const ABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Definitions of results, by the method they answer. */
const RESULTS: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};

type Call = readonly [method: string, params?: object];

const tool = (name: string, args: object = {}): Call => ['tools/call', { name, arguments: args }];

/** What every revision has. */
const COMMON: readonly Call[] = [
  ['tools/list'],
  tool('test_simple_text'),
  tool('test_image_content'),
  tool('test_embedded_resource'),
  tool('test_multiple_content_types'),
  tool('test_error_handling'),
  tool('test_sampling', { prompt: 7 }),
  tool('test_tool_with_logging'),
  tool('test_tool_with_progress'),
  tool('test_structured_output'),
  tool('test_list_output'),
  tool('test_trigger_tool_change'),
  tool('test_trigger_prompt_change'),
  tool('test_sampling', { prompt: 'hello' }),
  tool('nope'),
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'test://static-text' }],
  ['resources/read', { uri: 'test://static-binary' }],
  ['resources/read', { uri: 'test://template/7/data' }],
  ['resources/read', { uri: 'test://nowhere' }],
  ['prompts/list'],
  ['prompts/get', { name: 'test_simple_prompt' }],
  ['prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }],
  ['prompts/get', { name: 'test_prompt_with_image' }],
  ['prompts/get', { name: 'nope' }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    },
  ],
  ['no/such/method'],
];

function callsOf(revision: string): readonly Call[] {
  if (revision === LATEST_MODERN) {
    return [
      ['server/discover'],
      ...COMMON,
      tool('test_audio_content'),
      tool('test_input_required_result_multiple_inputs'),
      ['prompts/get', { name: 'test_input_required_result_prompt' }],
      ['ping'],
      ['tools/list', modern({}, { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' })],
      ['tools/call', { name: 'test_missing_capability', ...modern() }],
      ['tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': revision } }],
    ];
  }
  return [
    ...COMMON,
    ['ping'],
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'test://watched-resource' }],
    ['resources/unsubscribe', { uri: 'test://watched-resource' }],
    ...(revision >= '2025-03-26' ? [tool('test_audio_content')] : []),
    // Clients of older revisions cannot say that they take forms.
    ...(revision >= '2025-06-18' ? [tool('test_elicitation', { message: 'hi' })] : []),
    ...(revision >= '2025-11-25' ? [tool('test_elicitation_sep1330_enums')] : []),
    tool('test_input_required_result_list_roots'),
  ];
}

/** Parameters as the revision wants them, with a progress token. */
function paramsOf(revision: string, params: object = {}): object {
  const envelope = modern(ABILITIES, { 'io.modelcontextprotocol/logLevel': 'info' });
  const base = revision === LATEST_MODERN ? { ...envelope, ...params } : params;
  return { ...base, _meta: { ...(Reflect.get(base, '_meta') as object), progressToken: 'token' } };
}

/** Answers of a person, a model and a file system. */
function answerTo({ method }: Message): object {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///tmp' }] };
  if (method === 'elicitation/create') return { action: 'decline' };
  return { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } };
}

/** Talks to a server in one revision and returns all it said, with the methods of the calls by id. */
async function converse(
  revision: string,
): Promise<{ said: Message[]; methods: Map<unknown, string> }> {
  await using program = new StdioProgram();
  const methods = new Map<unknown, string>();
  const answered = new Set<unknown>();
  let next = 1;
  const call = async (method: string, params: object): Promise<void> => {
    const id = next++;
    methods.set(id, method);
    program.send({ id, method, params });
    const isIt = (one: unknown): boolean => {
      const message = one as Message;
      if (message.method === undefined) return message.id === id;
      if (message.id !== undefined && !answered.has(message.id)) {
        answered.add(message.id);
        program.send({ id: message.id, result: answerTo(message) });
      }
      // A subscription is answered when it ends; until then its acknowledgement will do.
      return method === 'subscriptions/listen' && message.method?.endsWith('acknowledged') === true;
    };
    await program.line(isIt);
  };
  if (revision === LATEST_MODERN) {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['test://watched-resource'],
    };
    await call('subscriptions/listen', { notifications, ...modern() });
  } else {
    const hello = { protocolVersion: revision, capabilities: ABILITIES, clientInfo: CLIENT };
    await call('initialize', hello);
    program.send({ method: 'notifications/initialized' });
  }
  for (const [method, params] of callsOf(revision)) await call(method, paramsOf(revision, params));
  program.end();
  expect(await program.ended).toEqual([0, null]);
  return { said: program.lines as Message[], methods };
}

/** The official definitions of one revision, by name. */
function definitionsOf(revision: string): (name: string) => ValidateFunction {
  const schema = JSON.parse(
    readFileSync(join(FOLDER, `mcp-${revision}.json`), 'utf8'),
  ) as AnySchemaObject;
  const isNew = '$defs' in schema;
  const ajv = new (isNew ? Ajv2020 : Ajv)({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'mcp');
  return (name) => {
    const found = ajv.getSchema(`mcp#/${isNew ? '$defs' : 'definitions'}/${name}`);
    if (found === undefined) throw new Error(`no definition \`${name}\` in ${revision}`);
    return found;
  };
}

/** Names of the definitions a message has to fit. */
function namesFor(message: Message, method: string | undefined, revision: string): string[] {
  if (message.method !== undefined) {
    return message.id === undefined
      ? ['JSONRPCNotification', 'ServerNotification']
      : ['JSONRPCRequest', 'ServerRequest'];
  }
  const isSplit = revision >= '2025-11-25';
  if (message.error !== undefined) return [isSplit ? 'JSONRPCErrorResponse' : 'JSONRPCError'];
  const isQuestion = message.result?.['resultType'] === 'input_required';
  const result = isQuestion ? 'InputRequiredResult' : (RESULTS[method ?? ''] ?? 'EmptyResult');
  return [isSplit ? 'JSONRPCResultResponse' : 'JSONRPCResponse', result];
}

describe.each([...LEGACY_VERSIONS, ...MODERN_VERSIONS])('a server process at %s', (revision) => {
  const isThere = existsSync(join(FOLDER, `mcp-${revision}.json`));
  const title = 'says only what fits the official JSON Schema';

  it.skipIf(!isThere)(
    isThere ? title : `${title} (skipped: MCP_SCHEMAS names no folder with mcp-${revision}.json)`,
    async () => {
      const { said, methods } = await converse(revision);
      const definition = definitionsOf(revision);
      const problems: unknown[] = [];
      for (const message of said) {
        const method = message.method === undefined ? methods.get(message.id) : undefined;
        for (const name of namesFor(message, method, revision)) {
          const check = definition(name);
          const isResult = name.endsWith('Result');
          if (!check(isResult ? message.result : message)) {
            problems.push({ name, message, errors: check.errors });
          }
        }
      }
      expect(problems).toEqual([]);
      // Every call was answered, and something was said without being asked.
      expect(said.filter(({ id }) => id !== undefined).length).toBeGreaterThanOrEqual(methods.size);
      const kinds = new Set(said.map(({ method }) => method));
      expect([...kinds]).toEqual(
        expect.arrayContaining([
          'notifications/progress',
          'notifications/message',
          'notifications/tools/list_changed',
          'notifications/prompts/list_changed',
        ]),
      );
    },
  );
});
