import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { FrameDecoder, type Framing, Recorder, spawnServer } from 'tincan-wire';

const server = fileURLToPath(new URL('./server.js', import.meta.url));
const text = 'naïve café, 漢字, 🙂';

// The same server program, once with lines and once with Content-Length headers.
for (const framing of ['line', 'header'] satisfies Framing[]) {
  const tap = new Recorder();
  const echo = await spawnServer({ command: process.execPath, args: [server], framing, tap });
  assert.deepEqual(await echo.request('echo', { text }), { text });
  await echo.close();
  const used = tap.records.map((record) =>
    record.type === 'frame' ? record.framing : record.type,
  );
  console.log(`asked with ${framing}: frames ${used.join(', ')}`);
  assert.deepEqual(used, [framing, framing, 'exit']);
}

// The decoder alone takes both, mixed, in pieces of any size.
const body = JSON.stringify({ jsonrpc: '2.0', method: 'note', params: { text } });
const bytes = Buffer.from(
  `${body}\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}${body}\n`,
);
const decoder = new FrameDecoder();
const framings: string[] = [];
for (const byte of bytes) {
  for (const item of decoder.push(Buffer.of(byte))) {
    assert.equal(item.kind, 'message');
    if (item.kind === 'message') framings.push(item.framing);
  }
}
console.log(`decoded byte by byte: ${framings.join(', ')}`);
assert.deepEqual(framings, ['line', 'header', 'line']);
