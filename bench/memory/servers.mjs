// The servers that are measured: how each is started, filled and asked.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const TINCAN = path('../../packages/memory/bin/tincan-memory.js');
const tool = (name, args) => ['tools/call', { name, arguments: args }];

const tincan = (name, provider) => ({
  name,
  program: TINCAN,
  env: (folder) => ({ TINCAN_HOME: folder, TINCAN_EMBEDDER_PROVIDER: provider }),
  fill(folder, notes) {
    const lines = notes.map((note) =>
      JSON.stringify({ kind: 'note', projectId: 'bench', ...note }),
    );
    const { status } = spawnSync(process.execPath, [TINCAN, 'import'], {
      input: lines.join('\n'),
      env: { ...process.env, ...this.env(folder) },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('could not fill the memory');
  },
  add: (note) => tool('memory_add_note', { projectId: 'bench', ...note }),
  search: (query) => tool('memory_search', { projectId: 'bench', query }),
});

export const SERVERS = [
  { name: 'bare Node', program: path('../mcp/servers/bare.mjs'), env: () => ({}) },
  {
    name: 'store bare',
    program: path('servers/bare-store.mjs'),
    env: (folder) => ({ STORE_FILE: join(folder, 'notes.db') }),
    fill: async (_folder, notes, request) => {
      for (let i = 0; i < notes.length; i += 1000) await request('fill', notes.slice(i, i + 1000));
    },
    isFilledRunning: true,
    add: (note) => ['add', note],
    search: (query) => ['search', { query }],
  },
  tincan('tincan', 'local'),
  tincan('tincan, words alone', 'none'),
  {
    name: 'server-memory',
    program: path('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js'),
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    fill: (folder, notes) => {
      const lines = notes.map(({ title, text, groupId }, i) =>
        JSON.stringify({
          type: 'entity',
          name: `${i} ${title}`,
          entityType: groupId,
          observations: [text],
        }),
      );
      writeFileSync(join(folder, 'memory.jsonl'), lines.join('\n'));
    },
    add: ({ title, text, groupId }) =>
      tool('create_entities', {
        entities: [{ name: title, entityType: groupId, observations: [text] }],
      }),
    search: (query) => tool('search_nodes', { query }),
  },
];
