import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SCRIPT = resolve(import.meta.dirname, '../../attack.mjs');

/** The groups of the script; `skip` says why one cannot run here. */
const groups = execFileSync(process.execPath, [SCRIPT, '--list'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly name: string; readonly skip?: string });

/** Output and exit code of the script. */
function attack(group: string): Promise<{ code: number; stdout: string }> {
  return promisify(execFile)(process.execPath, [SCRIPT, '--quick', '--group', group]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

describe('an attack', () => {
  it('has groups for every program that listens or reads', () => {
    const targets = new Set(groups.map(({ name }) => name.split(':')[0]));
    expect([...targets]).toEqual([
      ...['stdio', '/rpc', 'tools', '/mcp', 'HTTP', 'bridge', 'import', 'tincan call'],
      'another user',
    ]);
  });

  for (const { name, skip } of groups) {
    const test = skip === undefined ? it.concurrent : it.skip;
    test(`changes and stops nothing: ${skip === undefined ? name : `${name}, ${skip}`}`, async () => {
      const { code, stdout } = await attack(name);
      // The output names the cases that failed.
      expect(stdout).toMatch(/^.+ cases +0 failed/);
      expect(code).toBe(0);
    }, 180_000);
  }

  it('of no group fails', async () => {
    expect((await attack('no such group')).code).not.toBe(0);
  });
});
