// Requests that try to change what only the owner may: code, models, endpoints and keys.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openListener } from '../listener.mjs';
import { StdioServer } from '../stdio-server.mjs';

const refused = { answer: { error: { code: -32602 } }, embedder: { provider: 'local' } };
const patch = (name, embedder) => ({ name, params: { embedder }, expected: refused });

/** A change of the configuration that is refused and leaves the embedder as it was. */
export const changes = [
  patch('a model in a folder', { provider: 'onnx', model: '/tmp' }),
  patch('a model at home', { provider: 'onnx', model: '~' }),
  patch('a model beside', { provider: 'onnx', model: '.' }),
  patch('a model above', { provider: 'onnx', model: '../../..' }),
  patch('a model on another machine', { provider: 'onnx', model: '\\\\server\\share' }),
  patch('a model at a URL', { provider: 'onnx', model: 'file:///tmp' }),
  patch('onnx without a model', { provider: 'onnx' }),
  patch('a runtime', { provider: 'onnx', model: '/tmp', runtime: '/tmp/evil.js' }),
  patch('a runtime alone', { runtime: '/tmp/evil.js' }),
  patch('a provider that does not exist', { provider: 'evil' }),
  patch('a prototype as provider', { provider: '__proto__' }),
  patch('a constructor as provider', { provider: 'constructor' }),
  patch('a provider that is a path', { provider: '../../evil.js' }),
  patch('a provider that is empty', { provider: '' }),
  ...[
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_x',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://127.0.0.1/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock',
    'about:blank',
    'not a url',
    '//127.0.0.1/',
    '/etc/passwd',
    'http://',
    'http://[::1',
    'http://a b/',
    'http://127.0.0.1:99999/',
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.169.254.:80/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://169.254.0.1/',
    'https://169.254.169.254/',
    'http://metadata.google.internal/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://user@169.254.169.254/',
  ].flatMap((baseUrl) => [
    patch(`ollama at ${baseUrl}`, { provider: 'ollama', baseUrl }),
    patch(`openai at ${baseUrl}`, { provider: 'openai', baseUrl, apiKey: 'sk-of-the-attacker' }),
  ]),
  ...[
    'a\r\nX-Injected: yes',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\u2028b',
    'ключ',
    'a\x7f',
    '\r\n\r\nGET / HTTP/1.1',
  ].map((apiKey) =>
    patch(`the key ${JSON.stringify(apiKey)}`, {
      provider: 'openai',
      baseUrl: 'http://127.0.0.1:9/',
      apiKey,
    }),
  ),
  ...['store', 'http', 'paths', 'secrets', 'transportDefaults', '__proto__', 'constructor'].map(
    (member) => ({
      name: `another setting, ${member}`,
      params: JSON.parse(
        `{${JSON.stringify(member)}:{"path":"/tmp/evil.db","token":"","provider":"none"}}`,
      ),
      expected: refused,
    }),
  ),
];

/** Makes the change over JSON-RPC; resolves with the answer and the embedder that is in force then. */
export async function playChange(server, { params }) {
  const answer = await server.call('memory.set_config', params);
  const { result } = await server.call('memory.get_config');
  return { answer, embedder: result.embedder };
}

const INTRUDER = 'intruder ran';

/** A folder that holds a runtime of its own, which says so when it is loaded. */
function plantRuntime(home) {
  const model = join(home, 'model');
  const runtime = join(model, 'node_modules', 'onnxruntime-node');
  mkdirSync(runtime, { recursive: true });
  const mark = join(home, INTRUDER);
  const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  for (const folder of [runtime, model, home]) writeFileSync(join(folder, 'index.js'), code);
  writeFileSync(
    join(runtime, 'package.json'),
    '{"name":"onnxruntime-node","version":"1.20.0","main":"index.js"}',
  );
  writeFileSync(join(model, 'config.json'), '{"model_type":"bert","hidden_size":8}');
  writeFileSync(join(model, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n');
  writeFileSync(join(model, 'model.onnx'), 'x');
  return model;
}

const search = { projectId: 'canary', query: 'canary cage' };

/** Runs the calls and resolves with whether code from the folder ran. */
async function playRuntime(server, { change }) {
  const model = plantRuntime(server.home);
  await change(server, { embedder: { provider: 'onnx', model } });
  await server.call('memory.search', search);
  await server.call('memory.add_note', { projectId: 'canary-other', groupId: 'g', text: 'a' });
  await server.call('memory.search', search);
  return { ran: existsSync(join(server.home, INTRUDER)) };
}

const KEY = 'sk-of-the-owner-0123456789abcdef';

/** Sends the server to a listener of the attacker; resolves with whether the owner's key arrived there. */
async function playKey(server, { change }) {
  const heard = [];
  const { port, close } = await openListener((request, response) => {
    heard.push(JSON.stringify(request.rawHeaders));
    response.writeHead(400).end('{}');
  });
  for (const baseUrl of [`http://127.0.0.1:${port}/v1`, `http://localhost:${port}/v1`]) {
    for (const embedder of [
      { baseUrl },
      { provider: 'ollama', baseUrl },
      { provider: 'openai', baseUrl },
    ]) {
      await change(server, { embedder });
      await server.call('memory.search', search);
    }
  }
  await close();
  return { leaked: heard.some((headers) => headers.includes(KEY)) };
}

/** A server whose owner configured a key for an endpoint of their own, which refuses every request. */
export async function openWithKey() {
  const endpoint = await openListener((_, response) => response.writeHead(400).end('{}'));
  const server = await StdioServer.open({
    prepare: (home) => {
      const embedder = {
        provider: 'openai',
        model: 'm',
        baseUrl: `http://127.0.0.1:${endpoint.port}/v1`,
        apiKey: KEY,
      };
      writeFileSync(join(home, 'config.json'), JSON.stringify({ embedder }), { mode: 0o600 });
    },
  });
  const close = server.close.bind(server);
  server.close = async () => {
    await close();
    await endpoint.close();
  };
  return server;
}

const byMethod = (server, params) => server.call('memory.set_config', params);
const byTool = (server, params) =>
  server.call('tools/call', { name: 'memory_set_config', arguments: params });

export const runtimes = [
  { name: 'a runtime beside a model, by method', change: byMethod, expected: { ran: false } },
  { name: 'a runtime beside a model, by tool', change: byTool, expected: { ran: false } },
];
export const keys = [
  {
    name: "the owner's key to another address, by method",
    change: byMethod,
    expected: { leaked: false },
  },
  {
    name: "the owner's key to another address, by tool",
    change: byTool,
    expected: { leaked: false },
  },
];
export { playKey, playRuntime };
