import { McpServer } from 'tincan-mcp';

void new McpServer({
  name: 'bench',
  version: '1.0.0',
  tools: [
    {
      name: 'echo',
      description: 'Echoes',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      handler: ({ text }) => text,
    },
  ],
}).serve();
