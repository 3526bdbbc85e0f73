// The server the official conformance suite expects: tools, resources and prompts under its names.
//
//   node server.mjs                      on stdio
//   node server.mjs --http PORT          on our own Streamable HTTP end
//   node server.mjs --bridge PORT        this server on stdio, behind our own bridge

import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bridgeBackend, HttpEnd, serverBackend } from '../../dist/http.js';
import { McpServer, text } from '../../dist/index.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const NO_ARGUMENTS = { type: 'object', properties: {} };

function tool(name, handler, inputSchema = NO_ARGUMENTS, more = {}) {
  return { name, description: `Conformance: ${name}`, inputSchema, annotations, handler, ...more };
}

function form(properties, required = Object.keys(properties)) {
  return { type: 'object', properties, required };
}

function elicitation(message, properties) {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: form(properties) },
  };
}

function sampling(prompt, maxTokens = 100) {
  const messages = [{ role: 'user', content: text(prompt) }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

const ROOTS = { method: 'roots/list', params: {} };
const NAME_QUESTION = elicitation('What is your name?', { name: { type: 'string' } });

const contentTools = [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => [image]),
  tool('test_audio_content', () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', () => [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  tool('test_multiple_content_types', () => [
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ]),
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
];

const liveTools = [
  tool('test_tool_with_logging', async (_, context) => {
    context.log('info', 'Tool execution started');
    await delay(50);
    context.log('info', 'Tool processing data');
    await delay(50);
    context.log('info', 'Tool execution completed');
    return 'logged';
  }),
  tool('test_logging_tool', async (_, context) => {
    context.log('info', 'a log message');
    return 'logged';
  }),
  tool('test_tool_with_progress', async (_, context) => {
    for (const progress of [0, 50, 100]) {
      context.progress(progress, 100);
      await delay(60);
    }
    return 'done';
  }),
  tool('test_trigger_tool_change', () => {
    server.listChanged('tools');
    return 'changed';
  }),
  tool('test_trigger_prompt_change', () => {
    server.listChanged('prompts');
    return 'changed';
  }),
  tool('test_reconnection', async (_, context) => {
    context.progress(0, 1);
    await delay(200);
    return 'Reconnection test completed successfully';
  }),
];

const askingTools = [
  tool(
    'test_sampling',
    async ({ prompt }, context) => {
      const { answer } = await context.input({ answer: sampling(prompt) });
      return `LLM response: ${answer.content.text}`;
    },
    form({ prompt: { type: 'string' } }),
  ),
  tool(
    'test_elicitation',
    async ({ message }, context) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      return `User response: ${JSON.stringify(await context.elicit(message, form(properties)))}`;
    },
    form({ message: { type: 'string' } }),
  ),
  tool('test_elicitation_sep1034_defaults', async (_, context) => {
    const { action, content } = await context.elicit(
      'Please confirm your data',
      form(
        {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
        [],
      ),
    );
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
  }),
  tool('test_elicitation_sep1330_enums', async (_, context) => {
    const options = ['option1', 'option2', 'option3'];
    const titled = [
      { const: 'value1', title: 'First Option' },
      { const: 'value2', title: 'Second Option' },
      { const: 'value3', title: 'Third Option' },
    ];
    const { action, content } = await context.elicit(
      'Please choose',
      form(
        {
          untitledSingle: { type: 'string', enum: options },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
        [],
      ),
    );
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
  }),
  tool('test_missing_capability', async (_, context) => {
    await context.input({ answer: sampling('hello') });
    return 'had it';
  }),
  tool('test_streaming_elicitation', async (_, context) => {
    context.progress(0, 1);
    const { user_name: answer } = await context.input({ user_name: NAME_QUESTION });
    return `Hello, ${answer.content?.name}!`;
  }),
  tool('test_input_required_result_elicitation', async (_, context) => {
    const { user_name: answer } = await context.input({ user_name: NAME_QUESTION });
    return `Hello, ${answer.content?.name}!`;
  }),
  tool('test_input_required_result_sampling', async (_, context) => {
    const { capital_question: answer } = await context.input({
      capital_question: sampling('What is the capital of France?'),
    });
    return answer.content.text;
  }),
  tool('test_input_required_result_list_roots', async (_, context) => {
    const { client_roots: answer } = await context.input({ client_roots: ROOTS });
    return answer.roots.map(({ uri }) => uri).join(', ');
  }),
  tool('test_input_required_result_request_state', async (_, context) => {
    await context.input({ confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }) });
    return 'state-ok';
  }),
  tool('test_input_required_result_tampered_state', async (_, context) => {
    await context.input({ confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }) });
    return 'state-ok';
  }),
  tool('test_input_required_result_multiple_inputs', async (_, context) => {
    const answers = await context.input({
      user_name: NAME_QUESTION,
      greeting: sampling('Generate a greeting', 50),
      client_roots: ROOTS,
    });
    return JSON.stringify(answers);
  }),
  tool('test_input_required_result_multi_round', async (_, context) => {
    const { step1 } = await context.input({
      step1: elicitation('Step 1: What is your name?', { name: { type: 'string' } }),
    });
    const { step2 } = await context.input({
      step2: elicitation('Step 2: What is your favorite color?', { color: { type: 'string' } }),
    });
    return `${step1.content.name} likes ${step2.content.color}`;
  }),
  tool('test_input_required_result_capabilities', async (_, context) => {
    const { elicitation: asks, sampling: samples, roots } = context.caller.clientCapabilities;
    const answers = await context.input({
      ...(asks && { user_name: NAME_QUESTION }),
      ...(samples && { greeting: sampling('Generate a greeting', 50) }),
      ...(roots && { client_roots: ROOTS }),
    });
    return JSON.stringify(answers);
  }),
];

const schemaTool = tool('json_schema_2020_12_tool', (args) => JSON.stringify(args), {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

const headerTool = tool(
  'test_header_parameter',
  ({ region }) => region,
  form({ region: { type: 'string', 'x-mcp-header': 'Region' } }),
);

const structuredTools = [
  tool('test_structured_output', () => ({ sum: 5 }), NO_ARGUMENTS, {
    title: 'Structured output',
    outputSchema: form({ sum: { type: 'number' } }),
  }),
  tool('test_list_output', () => [1, 2], NO_ARGUMENTS, {
    outputSchema: { type: 'array', items: { type: 'number' } },
  }),
];

const server = new McpServer({
  name: 'tincan-conformance',
  version: '1.0.0',
  logging: true,
  listChanged: true,
  subscribe: true,
  tools: [
    ...contentTools,
    ...liveTools,
    ...askingTools,
    schemaTool,
    headerTool,
    ...structuredTools,
  ],
  resources: [
    {
      uri: 'test://static-text',
      name: 'static-text',
      description: 'A static text resource',
      mimeType: 'text/plain',
      read: () => 'This is the content of the static text resource.',
    },
    {
      uri: 'test://static-binary',
      name: 'static-binary',
      description: 'A static binary resource',
      mimeType: 'image/png',
      read: (uri) => ({ uri, mimeType: 'image/png', blob: PNG }),
    },
    {
      uri: 'test://watched-resource',
      name: 'watched-resource',
      description: 'A resource that changes',
      mimeType: 'text/plain',
      read: () => 'Watched resource content',
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'A resource template',
      mimeType: 'application/json',
      read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    },
  ],
  prompts: [
    {
      name: 'test_simple_prompt',
      description: 'A simple prompt',
      get: () => 'This is a simple prompt for testing.',
    },
    {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with arguments',
      arguments: [
        {
          name: 'arg1',
          description: 'First test argument',
          required: true,
          complete: (value) => ['paris', 'park', 'party'].filter((city) => city.startsWith(value)),
        },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
      get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt with a resource',
      arguments: [{ name: 'resourceUri', description: 'The resource to embed', required: true }],
      get: ({ resourceUri: uri }) => [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        { role: 'user', content: text('Please process the embedded resource above.') },
      ],
    },
    {
      name: 'test_prompt_with_image',
      description: 'A prompt with an image',
      get: () => [
        { role: 'user', content: image },
        { role: 'user', content: text('Please analyze the image above.') },
      ],
    },
    {
      name: 'test_input_required_result_prompt',
      description: 'A prompt that asks first',
      get: async (_, context) => {
        const { user_context: answer } = await context.input({
          user_context: elicitation('What context should the prompt use?', {
            context: { type: 'string' },
          }),
        });
        return `Context: ${answer.content?.context}`;
      },
    },
  ],
});

const [mode, port] = process.argv.slice(2);
if (mode === undefined) await server.serve();
else {
  const backend =
    mode === '--http'
      ? serverBackend(server)
      : bridgeBackend({ command: process.execPath, args: [fileURLToPath(import.meta.url)] });
  const end = new HttpEnd(backend);
  const http = createServer(end.listener).listen(Number(port), '127.0.0.1', () => {
    process.stderr.write(`listening on ${http.address().port}\n`);
  });
  const stop = async () => {
    http.close();
    await end.close();
    http.closeAllConnections();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
