// A server with one tool, for checking that an entry starts.
import { McpServer } from 'tincan-mcp';

const tool = {
  name: 'ping',
  description: 'Answers.',
  inputSchema: { type: 'object' },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  handler: () => 'pong',
};
await new McpServer({ name: 'tiny', version: '1.0.0', tools: [tool] }).serve();
