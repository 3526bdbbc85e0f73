import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callMethod, loadSettings, Memory } from '../../dist/index.js';

/**
 * Changes the model of a filled memory and kills the server again and again on the way. Between kills it is
 * asked by words alone, by vectors alone and as usual. Exits with 1 when a note or its vector is missing at
 * the end, or when the usual answer was ever worse than that of the words alone.
 */
const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '10' },
    questions: { type: 'string', default: '40' },
  },
});
const noteCount = Number(values.notes);
const kills = Number(values.kills);
const PROJECT = 'model-change';
/** Time for a batch of 64, so that the change takes long enough to be killed in. */
const BATCH_MS = Math.max(5, Math.round((kills * 1_500 * 64) / noteCount));
const main = fileURLToPath(new URL('../../bin/tincan-memory.js', import.meta.url));

let seed = 11;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
/** Words that the default model knows, so that both models have something to say. */
const words = (await readFile(new URL('../../data/static/vocab.txt', import.meta.url), 'utf8'))
  .split('\n')
  .filter((word) => /^[a-z]{5,}$/.test(word))
  .slice(0, 3_000);
const makeText = (count) =>
  Array.from({ length: count }, () => words[Math.floor(words.length * random() ** 2)]).join(' ');

/** Another model, on loopback: 96 numbers by the words of the text, for whom the server must wait. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body);
    if (input.length > 1) await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ embeddings: input.map(vectorOf) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, server };
}

function vectorOf(text) {
  const vector = new Array(96).fill(0.001);
  for (const word of text.split(/\s+/)) {
    let hash = 7;
    for (const character of word) {
      hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
    }
    for (let i = 0; i < 6; i += 1) {
      hash = (Math.imul(hash, 1_664_525) + 1_013_904_223) >>> 0;
      vector[(hash >>> 8) % 96] += hash & 128 ? 1 : -1;
    }
  }
  return vector;
}

/** The real server on pipes. */
function startServer(home) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME: home, TINCAN_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  const ended = once(child, 'exit');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error.message));
  });
  child.stdin.on('error', () => undefined);
  let last = 0;
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      const request = { jsonrpc: '2.0', id: last, method: `memory.${method}`, params };
      child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  return { child, ended, call };
}

/** Share of the questions whose note is among the first five, for each way of asking. */
async function recall(call, questions) {
  const found = {};
  for (const [name, mode] of [
    ['words', 'lexical'],
    ['vectors', 'vector'],
    ['usual', 'context'],
  ]) {
    let hits = 0;
    for (const { id, query } of questions) {
      const params = { projectId: PROJECT, query, mode, minScore: 0, detail: 'ids' };
      const { results } = await call('search', params);
      if (results.some((result) => result.id === id)) hits += 1;
    }
    found[name] = hits / questions.length;
  }
  return found;
}

async function openMemory(home, env = {}) {
  return new Memory({ settings: await loadSettings({ env: { TINCAN_HOME: home, ...env } }) });
}

async function fill(home) {
  const memory = await openMemory(home);
  const notes = [];
  for (let i = 0; i < noteCount; i += 200) {
    const batch = Array.from({ length: Math.min(200, noteCount - i) }, () => makeText(24));
    const added = await Promise.all(
      batch.map((text) =>
        callMethod(memory, 'memory.add_note', { projectId: PROJECT, groupId: 'global', text }),
      ),
    );
    notes.push(...added.map(({ id }, at) => ({ id, text: batch[at] })));
  }
  await memory.reindex();
  await memory.close();
  return notes;
}

/** Some words of a note in another order, not all of which it has. */
function questionOf({ id, text }) {
  const words = text.split(' ');
  const chosen = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]);
  return { id, query: [...chosen, makeText(2)].join(' ') };
}

const home = await mkdtemp(join(tmpdir(), 'tincan-model-change-'));
const model = await startModel();
try {
  const notes = await fill(home);
  const step = Math.floor(noteCount / Number(values.questions));
  const questions = notes.filter((_, at) => at % step === 0).map(questionOf);
  // Looks at the store from outside and embeds nothing.
  const watcher = await openMemory(home, { TINCAN_EMBEDDER_PROVIDER: 'none' });
  let server = startServer(home);
  const before = await recall(server.call, questions);
  const changed = await server.call('set_config', {
    embedder: { provider: 'ollama', model: 'words', baseUrl: model.url },
  });
  const startedAt = performance.now();
  const rounds = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 800));
    const recalled = await recall(server.call, questions);
    const { vectors: done, pending } = (await watcher.status()).spaces[0] ?? {};
    rounds.push({ done, pending, ...recalled });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    server.child.kill('SIGKILL');
    await server.ended;
    server = startServer(home);
  }
  while ((await watcher.status()).spaces[0]?.pending !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await recall(server.call, questions);
  server.child.stdin.end();
  await server.ended;

  let missing = 0;
  for (const { id } of notes) {
    await callMethod(watcher, 'memory.get', { id }).catch(() => {
      missing += 1;
    });
  }
  const problems = await watcher.check();
  const { spaces } = await watcher.status();
  await watcher.close();
  const all = [before, ...rounds, after];
  const isNeverWorse = all.every(({ words, usual }) => usual >= words);
  const isInterrupted = rounds.every(({ pending }) => pending > 0);
  const isDone = spaces[0]?.space.model === 'words' && spaces[0].vectors === noteCount;
  const isSound = missing === 0 && problems.length === 0 && isNeverWorse && isInterrupted && isDone;
  const report = {
    notes: noteCount,
    kills,
    namespace: changed.effectiveNamespace,
    seconds: Math.round(seconds),
    before,
    rounds,
    after,
    missing,
    problems,
    vectors: spaces[0]?.vectors,
    isSound,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = isSound ? 0 : 1;
} finally {
  model.server.close();
  model.server.closeAllConnections();
  await rm(home, { recursive: true, force: true });
}
