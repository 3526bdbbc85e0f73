import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('./durability.mjs', import.meta.url));

it('loses no acknowledged note to SIGKILL or to several writers', {
  timeout: 120_000,
}, async () => {
  const args = [script, '--rounds', '4', '--processes', '4', '--writes', '40'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const report = JSON.parse(stdout);
  expect(report.kills).toMatchObject({ rounds: 4, missing: 0, problems: 0, failures: [] });
  expect(report.kills.acknowledged).toBeGreaterThan(4);
  expect(report.many).toMatchObject({ missing: 0, failed: 0, problems: 0, notes: 160 });
  expect(report.isSound).toBe(true);
});
