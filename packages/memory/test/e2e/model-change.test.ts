import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('./model-change.mjs', import.meta.url));

it('changes the model under SIGKILL: nothing is lost, and search is never worse than by words', {
  timeout: 240_000,
}, async () => {
  const args = [script, '--notes', '1500', '--kills', '2', '--questions', '20'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ missing: 0, problems: [], vectors: 1_500, isSound: true });
  expect(report.namespace).toBe('ollama:words:96');
  expect(report.rounds).toHaveLength(2);
});
