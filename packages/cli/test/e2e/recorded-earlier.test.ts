import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tincan } from './run-tincan.ts';

/** A recording as `tincan tap` of version 0.1 wrote it. */
const RECORDING = fileURLToPath(new URL('../fixtures/recording-0.1.ndjson', import.meta.url));

describe('a recording of version 0.1', () => {
  it('is shown', async () => {
    const { code, stdout } = await tincan(['show', RECORDING]);
    expect(code).toBe(0);
    expect(stdout).toContain('tools/call echo');
    expect(stdout).toContain('4 calls · 1 failed · 0 unanswered · 1 notifications');
  });

  it('is played as a server', async () => {
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    const { stdout } = await tincan(['replay', RECORDING], { input: `${JSON.stringify(call)}\n` });
    expect(JSON.parse(stdout)).toMatchObject({ id: 7, result: { tools: [{ name: 'echo' }] } });
  });
});
