import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { connect } from 'tincan-mcp';
import { RpcError } from 'tincan-wire';

const program = fileURLToPath(new URL('./server.js', import.meta.url));

for (const era of ['legacy', 'modern'] as const) {
  let answer: 'accept' | 'decline' = 'decline';
  const client = await connect(
    { command: process.execPath, args: [program] },
    { era, elicit: async () => ({ action: answer }) },
  );
  const { protocolVersion, serverInfo } = client.agreement;
  console.log(`${era}: ${serverInfo?.name} ${serverInfo?.version} speaks ${protocolVersion}`);

  const tools = (await client.listTools()).map(({ name }) => name);
  assert.deepEqual(tools, ['add_note', 'search_notes', 'forget_notes']);

  const added = await client.callTool('add_note', { title: 'tea', text: 'Green, 80 degrees.' });
  console.log(`added: ${JSON.stringify(added.structuredContent)}`);
  assert.deepEqual(added.structuredContent, { title: 'tea', count: 2 });

  const steps: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => void steps.push(progress);
  const found = await client.callTool('search_notes', { word: 'Green' }, { onProgress });
  assert.deepEqual(found.content, [{ type: 'text', text: 'tea' }]);
  assert.equal(steps.at(-1), 2);

  const refused = await client.callTool('add_note', { title: '' });
  console.log(`refused: ${JSON.stringify(refused.content)}`);
  assert.equal(refused.isError, true);

  const unknown = await client.callTool('sing').catch((error) => error);
  assert.ok(unknown instanceof RpcError);
  assert.equal(unknown.rpcCode, -32602);

  const [note] = await client.readResource('note:///tea');
  assert.deepEqual(note, {
    uri: 'note:///tea',
    mimeType: 'text/plain',
    text: 'Green, 80 degrees.',
  });
  const ref = { type: 'ref/resource', uri: 'note:///{title}' } as const;
  assert.deepEqual(await client.complete(ref, { name: 'title', value: 'te' }), ['tea']);
  const { messages } = await client.getPrompt('summarise');
  assert.match(JSON.stringify(messages), /80 degrees/);

  const kept = await client.callTool('forget_notes');
  assert.equal(kept.isError, true);
  answer = 'accept';
  const forgotten = await client.callTool('forget_notes');
  console.log(`asked twice: ${JSON.stringify(kept.content)}, ${JSON.stringify(forgotten.content)}`);
  assert.deepEqual(forgotten.content, [{ type: 'text', text: 'forgotten' }]);

  await client.close();
}
console.log('both eras: the same answers');
