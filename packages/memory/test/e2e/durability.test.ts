import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('./durability.mjs', import.meta.url));

it('loses no acknowledged note to SIGKILL, to several writers or to lost files', {
  timeout: 240_000,
}, async () => {
  const few = ['--rounds', '4', '--processes', '4', '--writes', '40', '--losses', '1'];
  const args = [script, ...few, '--backups', '2'];
  // The script exits with 1 where something was lost: then its report says what.
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout: string; stderr: string }) => {
      if (error.stdout === '') expect.fail(error.stderr);
      return error;
    },
  );
  const report = JSON.parse(stdout);
  expect(report.kills).toMatchObject({ rounds: 4, missing: 0, problems: 0, failures: [] });
  expect(report.kills.acknowledged).toBeGreaterThan(4);
  expect(report.many).toMatchObject({ missing: 0, failed: 0, problems: 0, notes: 160 });
  const lost = Object.entries<Record<string, unknown>>(report.lost);
  expect(lost.map(([name]) => name)).toEqual([
    ...['moved', 'removed', 'replaced', 'logRemoved', 'sharedMemoryRemoved'],
    ...['folderRemoved', 'folderMoved'],
  ]);
  for (const [, each] of lost) {
    expect(each).toMatchObject({ missing: 0, missingInNamed: 0, unclear: [] });
    expect(each['acknowledged']).toBeGreaterThan(2);
  }
  expect(report.saved).toMatchObject({ backups: 2, missing: 0, problems: 0 });
  expect(report.isSound).toBe(true);
});
