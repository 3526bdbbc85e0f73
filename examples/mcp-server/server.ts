import { McpServer, ToolError } from 'tincan-mcp';

const notes = new Map<string, string>([['welcome', 'Notes live as long as the server does.']]);

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const server = new McpServer({
  name: 'notes',
  version: '1.0.0',
  instructions: 'Use this server when somebody wants to keep or find a note.',
  subscribe: true,
  tools: [
    {
      name: 'add_note',
      description: 'Keeps a note under a title.',
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string', minLength: 1 }, text: { type: 'string' } },
        required: ['title', 'text'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { title: { type: 'string' }, count: { type: 'integer' } },
        required: ['title', 'count'],
      },
      annotations: { ...READS, readOnlyHint: false },
      handler: ({ title, text }) => {
        notes.set(String(title), String(text));
        server.resourceUpdated(`note:///${title}`);
        return { title, count: notes.size };
      },
    },
    {
      name: 'search_notes',
      description: 'Finds the titles of notes with a word in them.',
      inputSchema: {
        type: 'object',
        properties: { word: { type: 'string' } },
        required: ['word'],
      },
      annotations: READS,
      handler: ({ word }, context) => {
        const found: string[] = [];
        let seen = 0;
        for (const [title, text] of notes) {
          context.signal.throwIfAborted();
          if (text.includes(String(word))) found.push(title);
          context.progress(++seen, notes.size);
        }
        return found.join('\n');
      },
    },
    {
      name: 'forget_notes',
      description: 'Throws all notes away, if the person behind the client agrees.',
      inputSchema: { type: 'object', additionalProperties: false },
      annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
      handler: async (_, context) => {
        // For modern clients everything above this line runs again when the answer has come.
        const { action } = await context.elicit(`Forget ${notes.size} notes?`, {
          type: 'object',
          properties: {},
        });
        if (action !== 'accept') throw new ToolError('the person said no; nothing was forgotten');
        notes.clear();
        return 'forgotten';
      },
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'note:///{title}',
      name: 'note',
      mimeType: 'text/plain',
      complete: { title: (typed) => [...notes.keys()].filter((title) => title.startsWith(typed)) },
      read: ({ title = '' }) => notes.get(title),
    },
  ],
  prompts: [
    {
      name: 'summarise',
      description: 'A summary of all notes',
      get: () => `Summarise these notes:\n\n${[...notes.values()].join('\n\n')}`,
    },
  ],
});

await server.serve();
