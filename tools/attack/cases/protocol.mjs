// Messages of the Model Context Protocol: tools, resources, prompts, tokens of progress, and both eras.

import { named, not, oneOf } from '../expectation.mjs';

const invalid = { error: { code: -32602 } };
const refused = { error: { code: oneOf(-32602, -32601, -32002, -32003) } };
const toolFailed = oneOf(invalid, { result: { isError: true } });
const served = { result: {} };
const PROTOTYPES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const tool = (name, args, expected) => ['tools/call', { name, arguments: args }, expected];
const META = 'io.modelcontextprotocol/';
const modern = (more = {}) => ({
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientInfo`]: { name: 'attack', version: '1' },
  [`${META}clientCapabilities`]: {},
  ...more,
});

/** Tools of the toolset that models get unless their owner chose another. */
const CORE = [
  'add_note',
  'delete',
  'get',
  'get_global',
  'list_recent',
  'search',
  'update',
  'upsert_global',
].map((name) => `memory_${name}`);
const isCore = named(
  `the tools ${CORE.join(', ')}`,
  (tools) => JSON.stringify(tools?.map(({ name }) => name).sort()) === JSON.stringify(CORE),
);

const RESOURCES = [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  '/etc/passwd',
  '../../etc/passwd',
  'http://169.254.169.254/',
  'data:text/plain,x',
  'memory:',
  'memory://',
  'memory://note',
  'memory://note/',
  'memory://note/..%2f..%2fetc',
  'memory://note/%00',
  'memory://note/%zz',
  'memory://group/%ff',
  'memory://note/__proto__',
  'memory:///etc/passwd',
  'MEMORY://x',
  '',
  ' ',
  '{id}',
  'memory://{id}',
  `memory://note/${'a'.repeat(100_000)}`,
  '\0',
  ...PROTOTYPES,
];

/** `[name, method, params, expected]`, sent as a client of either era may send them. */
const CASES = [
  ['the list of tools', 'tools/list', {}, { result: { tools: isCore } }],
  ...[
    'set_config',
    'get_config',
    'group_create',
    'group_delete',
    'history',
    'restore',
    'import',
    'export',
    'backup',
  ].map((name) => [`a model calls ${name}`, ...tool(`memory_${name}`, {}, invalid)]),
  ...[
    ...PROTOTYPES,
    '',
    'memory.add_note',
    'MEMORY_SEARCH',
    'memory_search ',
    '../memory_search',
    'x'.repeat(100_000),
    7,
    null,
    [],
    {},
    true,
  ].map((name) => [`the tool ${JSON.stringify(name).slice(0, 40)}`, ...tool(name, {}, invalid)]),
  ['no tool', 'tools/call', {}, invalid],
  ['no params of a tool', 'tools/call', undefined, invalid],
  ...['x', 7, [], true].map((args) => [
    `${JSON.stringify(args)} as arguments`,
    ...tool('memory_search', args, toolFailed),
  ]),
  ...PROTOTYPES.map((key) => [
    `the argument ${key}`,
    ...tool(
      'memory_search',
      JSON.parse(`{"projectId":"p","query":"x","${key}":{"a":1}}`),
      toolFailed,
    ),
  ]),
  [
    'fields that belong in patch',
    ...tool(
      'memory_update',
      { id: 'x', text: 'y' },
      { result: { isError: true, content: [{ text: /patch/ }] } },
    ),
  ],
  ...[
    'x',
    '-1',
    '1e9',
    '__proto__',
    'eyJvZmZzZXQiOi0xfQ==',
    'a'.repeat(100_000),
    7,
    {},
    [],
  ].flatMap((cursor) =>
    ['tools/list', 'resources/list', 'prompts/list'].map((method) => [
      `the cursor ${JSON.stringify(cursor).slice(0, 40)} of ${method}`,
      method,
      { cursor },
      invalid,
    ]),
  ),
  ...RESOURCES.map((uri) => [
    `the resource ${JSON.stringify(uri).slice(0, 60)}`,
    'resources/read',
    { uri },
    refused,
  ]),
  ...[7, null, [], {}, true].map((uri) => [
    `the resource ${JSON.stringify(uri)}`,
    'resources/read',
    { uri },
    refused,
  ]),
  ['no resource', 'resources/read', {}, refused],
  ...[...PROTOTYPES, '', 'no-such', 7, null, []].map((name) => [
    `the prompt ${JSON.stringify(name)}`,
    'prompts/get',
    { name },
    invalid,
  ]),
  ...[7, 'x', [], { task: 7 }, { task: {} }, { task: [] }, {}].map((args) => [
    `a prompt with ${JSON.stringify(args)}`,
    'prompts/get',
    { name: 'recall', arguments: args },
    oneOf(invalid, served),
  ]),
  ...[
    {},
    { ref: 7 },
    { ref: { type: '__proto__' } },
    {
      ref: { type: 'ref/prompt', name: '__proto__' },
      argument: { name: 'constructor', value: 'x' },
    },
    {
      ref: { type: 'ref/resource', uri: 'file:///etc/passwd' },
      argument: { name: 'x', value: '../' },
    },
  ].map((params) => [
    `a completion of ${JSON.stringify(params).slice(0, 60)}`,
    'completion/complete',
    params,
    oneOf(refused, { result: { completion: { values: [] } } }),
  ]),
  ...['evil', '__proto__', '', 7, null, []].map((level) => [
    `the log level ${JSON.stringify(level)}`,
    'logging/setLevel',
    { level },
    invalid,
  ]),
  ...['9999-99-99', '2026-07-28', '', '__proto__', 'x'.repeat(100_000)].map((protocolVersion) => [
    `the version ${protocolVersion.slice(0, 20)} in initialize`,
    'initialize',
    { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    { result: { protocolVersion: '2025-11-25' } },
  ]),
  ...[7, null, [], {}].map((protocolVersion) => [
    `the version ${JSON.stringify(protocolVersion)} in initialize`,
    'initialize',
    { protocolVersion, capabilities: 7, clientInfo: [] },
    oneOf(invalid, { result: { protocolVersion: '2025-11-25' } }),
  ]),
  [
    'an empty initialize',
    'initialize',
    {},
    oneOf(invalid, { result: { protocolVersion: '2025-11-25' } }),
  ],
  ...['1900-01-01', '2025-11-25', '', '__proto__', 7, null, {}, []].map((version) => [
    `the version ${JSON.stringify(version)} in _meta`,
    'tools/list',
    { _meta: modern({ [`${META}protocolVersion`]: version }) },
    { error: { code: oneOf(-32602, -32022, -32020) } },
  ]),
  [
    'a modern request without its client',
    'tools/list',
    { _meta: { [`${META}protocolVersion`]: '2026-07-28' } },
    { error: { code: oneOf(-32602, -32020) } },
  ],
  ...[{}, [], null, true, 1.5, 'x'.repeat(100_000), '__proto__', 1e308, -1].map((progressToken) => [
    `the progress token ${JSON.stringify(progressToken).slice(0, 40)}`,
    'tools/call',
    { name: 'memory_get', arguments: { id: 'x' }, _meta: { progressToken } },
    not({ error: { code: -32603 } }),
  ]),
  ...['x', 7, [], true].map((meta) => [
    `${JSON.stringify(meta)} as _meta`,
    'tools/list',
    { _meta: meta },
    not({ error: { code: -32603 } }),
  ]),
  [
    'a subscription to anything',
    'resources/subscribe',
    { uri: 'file:///etc/passwd' },
    oneOf(refused, served),
  ],
  ['a request that only clients take', 'sampling/createMessage', {}, { error: { code: -32601 } }],
  ['a request for folders', 'roots/list', {}, { error: { code: -32601 } }],
  ['an elicitation', 'elicitation/create', {}, { error: { code: -32601 } }],
];

export const protocol = CASES.map(([name, method, params, expected]) => ({
  name,
  method,
  params,
  expected,
}));

export const playProtocol = (server, { method, params }) => server.call(method, params);
