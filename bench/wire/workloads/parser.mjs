import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { columnFile } from '../columns.mjs';
import { usage } from '../server-side.mjs';
import { bigText } from './big-text.mjs';

const MESSAGE_BYTES = 10_000_000;
const CHUNK_BYTES = 4096;

/** A 10 MB message in 4 KB chunks through the parser alone; no process, no pipe. */
export async function openParser({ column }) {
  const file = columnFile(column, 'parse.mjs');
  if (!existsSync(file)) return undefined;
  const { parse, note } = await import(file);
  const params = { text: bigText(MESSAGE_BYTES) };
  const whole = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params })}\n`,
  );
  const chunks = [];
  for (let at = 0; at < whole.length; at += CHUNK_BYTES) {
    chunks.push(Buffer.from(whole.subarray(at, at + CHUNK_BYTES)));
  }
  const message = await parse(chunks, whole);
  assert.equal(message.params.text.length, params.text.length);
  return {
    async slice() {
      const before = usage().cpuUs;
      const start = performance.now();
      await parse(chunks, whole);
      const elapsedMs = performance.now() - start;
      return { messages: 1, elapsedMs, cpuUs: { client: usage().cpuUs - before, server: 0 }, note };
    },
    close: () => {},
  };
}
