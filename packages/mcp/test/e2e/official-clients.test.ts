import { fileURLToPath } from 'node:url';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

const server = fileURLToPath(new URL('../conformance/server.mjs', import.meta.url));
const start = { command: process.execPath, args: [server] };
const info = { name: 'official', version: '1.0.0' };

describe('the official client, version 1', () => {
  it('uses our server over stdio: tools, resources, prompts, completion, progress, questions', async () => {
    const client = new ClientV1(info, { capabilities: { sampling: {}, elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { username: 'ann', email: 'a@example.com' },
    }));
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
      model: 'none',
    }));
    await client.connect(new TransportV1(start));
    try {
      expect(client.getServerVersion()).toMatchObject({ name: 'tincan-conformance' });
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThan(20);
      expect(await client.callTool({ name: 'test_simple_text' })).toMatchObject({
        content: [{ text: 'This is a simple text response for testing.' }],
      });
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await client.callTool({ name: 'test_tool_with_progress' }, undefined, { onprogress });
      expect(seen).toEqual([0, 50, 100]);
      expect(
        await client.callTool({ name: 'test_elicitation', arguments: { message: 'hi' } }),
      ).toMatchObject({ content: [{ text: expect.stringContaining('ann') }] });
      expect(
        await client.callTool({ name: 'test_sampling', arguments: { prompt: 'hi' } }),
      ).toMatchObject({ content: [{ text: 'LLM response: sampled' }] });
      expect((await client.listResources()).resources).toHaveLength(3);
      expect(await client.readResource({ uri: 'test://template/7/data' })).toMatchObject({
        contents: [{ text: expect.stringContaining('"id":"7"') }],
      });
      expect((await client.listPrompts()).prompts.length).toBeGreaterThan(3);
      const completion = await client.complete({
        ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
        argument: { name: 'arg1', value: 'par' },
      });
      expect(completion.completion.values).toEqual(['paris', 'park', 'party']);
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
      await client.ping();
    } finally {
      await client.close();
    }
  });
});

describe.each([
  ['legacy', undefined, 'legacy'],
  ['auto', { mode: 'auto' as const }, 'modern'],
  ['pinned', { mode: { pin: '2026-07-28' } }, 'modern'],
])('the official client, version 2, %s', (_, versionNegotiation, era) => {
  it('uses our server over stdio', async () => {
    const client = new ClientV2(info, {
      capabilities: { elicitation: {} },
      ...(versionNegotiation && { versionNegotiation }),
    });
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'ann' },
    }));
    await client.connect(new TransportV2(start));
    try {
      expect(client.getProtocolEra()).toBe(era);
      expect((await client.listTools()).tools.length).toBeGreaterThan(20);
      expect(await client.callTool({ name: 'test_multiple_content_types' })).toMatchObject({
        content: [{ type: 'text' }, { type: 'image' }, { type: 'resource' }],
      });
      expect(
        await client.callTool({ name: 'test_input_required_result_elicitation' }),
      ).toMatchObject({
        content: [{ text: 'Hello, ann!' }],
      });
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await client.callTool({ name: 'test_tool_with_progress' }, { onprogress });
      expect(seen).toEqual([0, 50, 100]);
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await client.close();
    }
  });
});
