// Every group of cases with the target it is played against.

import { lines, playBytes } from './cases/bytes.mjs';
import { cancels, playCancel } from './cases/cancels.mjs';
import {
  changes,
  keys,
  openWithKey,
  playChange,
  playKey,
  playRuntime,
  runtimes,
} from './cases/configuration.mjs';
import { playRequest, requests } from './cases/http.mjs';
import { imports, openImports, playImport } from './cases/imports.mjs';
import { messages } from './cases/messages.mjs';
import { numbers } from './cases/numbers.mjs';
import * as parameters from './cases/parameters.mjs';
import { makeTraps, paths, playPath, traps } from './cases/paths.mjs';
import { playProtocol, protocol } from './cases/protocol.mjs';
import {
  bridgeReaders,
  httpReaders,
  playReader,
  SMALL_HEAP,
  stdioReaders,
} from './cases/readers.mjs';
import {
  bridgedServers,
  httpServers,
  openBench,
  playBridgedServer,
  playHttpServer,
  playStdioServer,
  stdioServers,
} from './cases/servers.mjs';
import { neighbours, playNeighbour, playSession, sessions } from './cases/sessions.mjs';
import { groupNames, texts } from './cases/texts.mjs';
import { playStranger, strangers } from './cases/tokens.mjs';
import { openOwner, playUser, skip, users } from './cases/users.mjs';
import { BridgeServer, HttpServer } from './http-server.mjs';
import { StdioServer } from './stdio-server.mjs';

const stdio = (options) => () => StdioServer.open(options);
const http = () => HttpServer.open();
const bridge = () => BridgeServer.open();

/** One text over stdio: every answer to it. */
const sayLine = (server, { text, expected }) => server.exchange(text, expected.length);

/** One text to `/rpc`. */
async function postText(server, { text }) {
  const { status, json, body } = await server.request({ body: text });
  return status === 202 ? [] : [{ value: json, raw: body }];
}

/** Calls one after the other. */
async function playSteps(server, { steps }) {
  const answers = [];
  for (const [method, params] of steps) answers.push(await server.call(method, params));
  return answers;
}

/** A call whose params are JSON text already. */
async function playParams(server, { method, params }) {
  const text = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
  if (server.exchange === undefined) return (await server.request({ body: text })).json;
  const [{ value }] = await server.exchange(text, 1);
  return value;
}

const playTool = (server, { tool, arguments: args }) =>
  server.call('tools/call', { name: tool, arguments: args });

const { meta, misspelt, missing, unknown, unknownInside, wrongArguments, wrongTypes } = parameters;
const refusedParams = [...unknown, ...unknownInside, ...misspelt];

/** In the order they are played and reported. */
export const groups = [
  { name: 'stdio: messages', open: stdio(), cases: messages, play: sayLine },
  { name: '/rpc: messages', open: http, cases: messages, play: postText },
  { name: 'stdio: bytes, sizes, framings', open: stdio(), cases: lines, play: playBytes },
  { name: 'stdio: cancellation, progress', open: stdio(), cases: cancels, play: playCancel },
  {
    name: 'stdio: wrong types',
    open: stdio(),
    cases: [...wrongTypes, ...missing, ...meta],
    play: playParams,
    checkEvery: 20,
  },
  {
    name: '/rpc: wrong types',
    open: http,
    cases: [...wrongTypes, ...missing, ...meta],
    play: playParams,
    checkEvery: 20,
    quickEvery: 4,
  },
  {
    name: 'tools: wrong types',
    open: stdio(),
    cases: wrongArguments,
    play: playTool,
    checkEvery: 20,
  },
  {
    name: 'stdio: unknown parameters',
    open: stdio(),
    cases: refusedParams,
    play: playParams,
    checkEvery: 20,
  },
  { name: '/rpc: numbers, times, counts', open: http, cases: numbers, play: playSteps },
  { name: 'stdio: texts', open: stdio(), cases: [...texts, ...groupNames], play: playSteps },
  {
    name: '/rpc: texts',
    open: http,
    cases: [...texts, ...groupNames],
    play: playSteps,
    quickEvery: 4,
  },
  { name: 'stdio: paths', open: stdio(), cases: paths, play: playPath },
  {
    name: 'stdio: folders',
    open: stdio({ prepare: makeTraps }),
    cases: traps,
    play: playPath,
    skip: process.platform === 'win32' ? 'needs mkfifo' : undefined,
  },
  { name: 'stdio: configuration', open: stdio(), cases: changes, play: playChange },
  { name: '/rpc: configuration', open: http, cases: changes, play: playChange },
  { name: 'stdio: foreign code', open: stdio(), cases: runtimes, play: playRuntime },
  { name: 'stdio: keys', open: openWithKey, cases: keys, play: playKey },
  { name: 'stdio: protocol', open: stdio(), cases: protocol, play: playProtocol },
  { name: '/mcp: sessions', open: http, cases: sessions, play: playSession },
  { name: '/mcp: neighbours', open: http, cases: neighbours, play: playNeighbour },
  { name: 'HTTP: raw requests', open: http, cases: requests, play: playRequest },
  {
    name: 'HTTP: without the token',
    open: http,
    cases: strangers,
    play: playStranger,
    checkEvery: 20,
  },
  { name: 'HTTP: clients that do not read', open: http, cases: httpReaders, play: playReader },
  {
    name: 'stdio: a parent that does not read',
    open: stdio({ env: SMALL_HEAP }),
    cases: stdioReaders,
    play: playReader,
  },
  { name: 'bridge: protocol', open: bridge, cases: protocol, play: playProtocol, quickEvery: 4 },
  { name: 'bridge: sessions', open: bridge, cases: sessions, play: playSession },
  { name: 'bridge: neighbours', open: bridge, cases: neighbours, play: playNeighbour },
  {
    name: 'bridge: without the token',
    open: bridge,
    cases: strangers,
    play: playStranger,
    checkEvery: 20,
    quickEvery: 4,
  },
  {
    name: 'bridge: clients that do not finish',
    open: bridge,
    cases: bridgeReaders,
    play: playReader,
  },
  {
    name: 'bridge: servers behind it',
    open: openBench,
    cases: bridgedServers,
    play: playBridgedServer,
  },
  { name: 'import: files of others', open: openImports, cases: imports, play: playImport },
  {
    name: 'tincan call: servers on stdio',
    open: openBench,
    cases: stdioServers,
    play: playStdioServer,
  },
  {
    name: 'tincan call: servers over HTTP',
    open: openBench,
    cases: httpServers,
    play: playHttpServer,
  },
  { name: 'another user', open: openOwner, cases: users, play: playUser, checkEvery: 10, skip },
];
