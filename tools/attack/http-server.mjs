// The programs that listen: the memory server and `tincan bridge`, each behind a token.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addCanary, canaryProblem } from './canary.mjs';
import { exchangeBytes, requestText } from './http-exchange.mjs';
import { MEMORY, Program, scratchFolder, TINCAN } from './programs.mjs';

/** Token of the servers under attack. */
export const TOKEN = 'Kq7-attack-Token-of-the-owner-31';

/** The header of a client that may call. */
export const OWNER = ['Authorization', `Bearer ${TOKEN}`];

const HEALTH = requestText({
  method: 'GET',
  path: '/health',
  headers: [['Content-Length', undefined]],
});

class ListeningServer {
  token = TOKEN;

  get home() {
    return this.folder.path;
  }

  /** Sends bytes on a new connection. */
  send(bytes, options) {
    return exchangeBytes(this.port, bytes, options);
  }

  /** Sends a request with the token unless its headers have `Authorization`. */
  request(options = {}) {
    const { headers = [] } = options;
    const isGiven = headers.some(([name]) => name.toLowerCase() === 'authorization');
    return this.send(
      requestText({
        ...options,
        headers: isGiven ? headers : [['Authorization', `Bearer ${this.token}`], ...headers],
      }),
    );
  }

  async problem() {
    const { status, body } = await this.send(HEALTH);
    if (status !== 200 || body !== '{"status":"ok"}') return `/health: ${status} ${body}`;
    return this.canaryProblem?.();
  }

  async close() {
    await this.program.kill();
    this.folder.close();
  }

  async start(script, args, env = {}) {
    this.program = new Program(script, args, {
      home: this.folder.path,
      env: { TINCAN_TOKEN: TOKEN, ...env },
    });
    const [, port] = await this.program.said(/http:\/\/127\.0\.0\.1:(\d+)/);
    this.port = Number(port);
  }
}

/** `tincan-memory serve --transport http`. */
export class HttpServer extends ListeningServer {
  /** With `makesToken` the server makes a token of its own and keeps it in its file. */
  static async open({ env, prepare, makesToken = false } = {}) {
    const server = new HttpServer();
    server.folder = scratchFolder();
    await prepare?.(server.folder.path);
    await server.start(MEMORY, ['serve', '--transport', 'http', '--port', '0'], {
      ...env,
      ...(makesToken && { TINCAN_TOKEN: undefined }),
    });
    if (makesToken) server.token = readFileSync(join(server.home, 'data', 'token'), 'utf8').trim();
    server.canary = await addCanary(server.call);
    return server;
  }

  /** Makes one call at `/rpc` and resolves with its answer. */
  call = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { status, json } = await this.request({ body });
    return json ?? { error: { code: status } };
  };

  canaryProblem() {
    return canaryProblem(this.call, this.canary);
  }
}

/** `tincan bridge` before the memory server. */
export class BridgeServer extends ListeningServer {
  /** Before any server, without a session. */
  static async start(...command) {
    const server = new BridgeServer();
    server.folder = scratchFolder();
    const options = ['--port', '0', '--max-body', '1048576'];
    await server.start(TINCAN, ['bridge', ...options, '--', process.execPath, ...command]);
    return server;
  }

  static async open() {
    const server = await BridgeServer.start(MEMORY, 'serve');
    server.session = await openSession(server);
    server.canary = await addCanary(server.call);
    return server;
  }

  call = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = [['Mcp-Session-Id', this.session]];
    const { json, status } = await this.request({ path: '/mcp', headers, body });
    return json ?? { error: { code: status } };
  };

  canaryProblem() {
    return this.canary === undefined ? undefined : canaryProblem(this.call, this.canary);
  }
}

/** Opens a legacy session at `/mcp` and resolves with its id. */
export async function openSession(server) {
  const { headers } = await server.request({ path: '/mcp', body: INITIALIZE });
  return headers['mcp-session-id'];
}

/** The first message of a legacy client. */
export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attack', version: '1' },
  },
});
