import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const TOOL = JSON.stringify(resolve(import.meta.dirname, '../../bounded-run.mjs'));
const FOREVER = 'setInterval(() => undefined, 1000)';

/** Runs code that uses the tool in a process of its own, and returns what it printed as JSON. */
async function run(code: string): Promise<Record<string, unknown>> {
  const script = `import { boundedRun, openScratchHome } from ${TOOL};
    const scratch = openScratchHome(['/first']);
    const { home, env } = scratch;
    const node = (code, options) =>
      boundedRun(process.execPath, ['-e', code], { cwd: home, env, ...options });
    ${code}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env: { ...process.env, SECRET: 'hidden' } },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Whether a process exists and is not merely waiting to be collected. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}

describe('a bounded run', () => {
  it('gives a program a home of its own and nothing of ours, and takes the home away', async () => {
    const { isOk, output, home } = await run(`
      const { isOk, output } = await node('console.log(JSON.stringify(process.env))');
      await scratch.close();
      console.log(JSON.stringify({ isOk, output, home }));`);
    expect(isOk).toBe(true);
    const seen = JSON.parse(String(output)) as Record<string, string>;
    expect(seen['HOME']).toBe(home);
    expect(seen['PATH']).toMatch(/^\/first/);
    expect(seen).not.toHaveProperty('SECRET');
    expect(existsSync(String(home))).toBe(false);
  });

  it('ends a program that takes too long, and says so', async () => {
    const answer = await run(`
      const { isOk, how } = await node(${JSON.stringify(FOREVER)}, { timeoutMs: 300 });
      console.log(JSON.stringify({ isOk, how, left: await scratch.close() }));`);
    expect(answer).toEqual({ isOk: false, how: 'SIGKILL', left: [] });
  });

  it('reports a program that cannot be started', async () => {
    const answer = await run(`
      const { isOk, how } = await boundedRun('no-such-program', [], { cwd: home, env });
      await scratch.close();
      console.log(JSON.stringify({ isOk, how }));`);
    expect(answer).toMatchObject({ isOk: false, how: expect.stringContaining('ENOENT') });
  });

  it('speaks with a program line by line until it is stopped', async () => {
    const echo = "process.stdin.on('data', (data) => process.stdout.write(data))";
    const answer = await run(`
      const heard = [];
      const onLine = (line, { send, stop }) => {
        if (line === undefined) send({ n: 1 });
        else if (heard.push(JSON.parse(line)) === 2) stop();
        else send({ n: 2 });
      };
      const { isOk } = await node(${JSON.stringify(echo)}, { onLine });
      await scratch.close();
      console.log(JSON.stringify({ isOk, heard }));`);
    expect(answer).toEqual({ isOk: true, heard: [{ n: 1 }, { n: 2 }] });
  });

  it.runIf(process.platform === 'linux')('ends what left the group of its program', async () => {
    const daemon = `
      const options = { detached: true, stdio: 'ignore' };
      const { pid } = require('node:child_process')
        .spawn(process.execPath, ['-e', ${JSON.stringify(FOREVER)}], options);
      console.log(pid);
      process.exit();`;
    const { pid, left } = await run(`
      const { output } = await node(${JSON.stringify(daemon)});
      console.log(JSON.stringify({ pid: Number(output), left: await scratch.close() }));`);
    expect(left).toHaveLength(1);
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});
