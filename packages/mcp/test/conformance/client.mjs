// The client the official conformance suite drives: does what the scenario in the environment asks for.
//
//   node client.mjs URL

import { connectLine, httpLine } from '../../dist/index.js';

const [url] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25';

const client = await connectLine(httpLine({ url }), {
  name: 'tincan-conformance-client',
  version: '1.0.0',
  era: version === '2026-07-28' ? 'modern' : 'legacy',
  elicit: async () => ({ action: 'accept', content: {} }),
  sample: async () => ({
    role: 'assistant',
    content: { type: 'text', text: 'a sampled answer' },
    model: 'none',
  }),
  roots: async () => [{ uri: 'file:///workspace' }],
});

const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const tools = await client.listTools();
for (const { name, arguments: args } of toolCalls ?? []) await client.callTool(name, args);
if (scenario === 'json-schema-2020-12-preservation') {
  const [focal, echo] = tools;
  await client.callTool(echo.name, { schema: focal.inputSchema });
}
for (const { name, inputSchema } of tools) {
  if (scenario.startsWith('json-schema') || toolCalls !== undefined) continue;
  const properties = Object.entries(inputSchema.properties ?? {});
  const args = Object.fromEntries(properties.map(([key, schema]) => [key, sampleOf(schema)]));
  await client.callTool(name, args);
}
await client.close();

function sampleOf(schema) {
  if (schema.type === 'number' || schema.type === 'integer') return 1;
  if (schema.type === 'boolean') return true;
  return 'x';
}
