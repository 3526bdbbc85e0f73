import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Recorder, readRecording, replayClient, spawnServer } from 'tincan-wire';

const command = process.execPath;
const server = fileURLToPath(new URL('./server.js', import.meta.url));
const replay = fileURLToPath(new URL('./replay.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'tincan-example-'));
const file = join(folder, 'weather.ndjson');

// 1. Record a session.
const recorder = new Recorder({ file });
const live = await spawnServer({ command, args: [server], tap: recorder });
await live.request('login', { user: 'guest', password: 'correct horse' });
await live.request('temperature', { city: 'Oslo' });
await live.request('temperature', { city: 'Lima' });
await live.close();
await recorder.close();
const text = await readFile(file, 'utf8');
console.log(`recorded ${text.trim().split('\n').length} lines`);
assert.ok(!text.includes('correct horse'), 'a password must not reach the recording');

// 2. Answer from the recording, without the server.
const replayed = await spawnServer({ command, args: [replay, file] });
const answer = await replayed.request('temperature', { city: 'Lima' });
await replayed.close();
console.log(`replayed answer: ${answer}`);
assert.equal(answer, 19);

// 3. Send the recorded requests to a server that changed, and see what differs.
const changed = await spawnServer({ command, args: [server, '--warmer'] });
const differences = await replayClient(await readRecording(file), changed);
await changed.close();
for (const { method, params, expected, actual } of differences) {
  console.log(method, params, 'was', expected, 'is', actual);
}
assert.equal(differences.length, 2);
await rm(folder, { recursive: true });
