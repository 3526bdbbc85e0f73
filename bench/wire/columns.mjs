import { join } from 'node:path';

const initialize = line({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
});
const echo = line({ jsonrpc: '2.0', id: 1, method: 'echo', params: { text: 'hello' } });

/**
 * What is compared. `first` is the request that a fresh server answers in the start-up workload,
 * `imports` is what a program with both ends loads.
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {string} label
 * @property {string} first
 * @property {string[]} imports
 */

/** @type {Column[]} */
export const columns = [
  { name: 'raw', label: 'raw Node bytes (limit)', first: echo, imports: [] },
  { name: 'floor', label: 'JSON floor (limit)', first: echo, imports: [] },
  { name: 'tincan', label: 'tincan wire', first: echo, imports: ['tincan-wire'] },
  {
    name: 'sdk-v1',
    label: 'MCP SDK v1',
    first: initialize,
    imports: [
      '@modelcontextprotocol/sdk/server/index.js',
      '@modelcontextprotocol/sdk/server/stdio.js',
      '@modelcontextprotocol/sdk/client/index.js',
      '@modelcontextprotocol/sdk/client/stdio.js',
    ],
  },
  {
    name: 'sdk-v2',
    label: 'MCP SDK v2',
    first: initialize,
    imports: [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/client/stdio',
    ],
  },
  {
    name: 'vscode-jsonrpc',
    label: 'vscode-jsonrpc',
    first: `Content-Length: ${Buffer.byteLength(echo)}\r\n\r\n${echo}`,
    imports: ['vscode-jsonrpc/node'],
  },
  {
    name: 'json-rpc-2.0',
    label: 'json-rpc-2.0 + readline',
    first: echo,
    imports: ['json-rpc-2.0', 'node:readline'],
  },
];

/**
 * The file of a column: `server.mjs`, `client.mjs` or `parse.mjs`.
 *
 * @param {string} name
 * @param {string} file
 */
export function columnFile(name, file) {
  return join(import.meta.dirname, 'columns', name, file);
}

function line(message) {
  return `${JSON.stringify(message)}\n`;
}
