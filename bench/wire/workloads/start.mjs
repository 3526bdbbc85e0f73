import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { columnFile, columns } from '../columns.mjs';
import { hookSpawn } from '../spawn-hook.mjs';

/** A list of certificates in the environment, say, takes every start of Node longer than all that is measured. */
const PLAIN = { PATH: process.env.PATH };

/**
 * From spawn to the first answer, asked for in prepared bytes so that only the server counts. Warm: one start
 * that is not counted leaves behind what later ones find.
 */
export async function openStart({ column, pipes }) {
  const { first } = columns.find(({ name }) => name === column);
  const server = hookSpawn({ pipes });
  const workload = {
    async slice() {
      const start = performance.now();
      const child = spawn(process.execPath, [columnFile(column, 'server.mjs')], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: PLAIN,
      });
      child.stdin.write(first);
      await once(child.stdout, 'data');
      const elapsedMs = performance.now() - start;
      const { cpuUs, peakBytes } = await server.usage();
      child.stdin.end();
      child.kill();
      await once(child, 'exit');
      return {
        messages: 1,
        elapsedMs,
        cpuUs: { client: 0, server: cpuUs },
        peakBytes: { client: 0, server: peakBytes },
      };
    },
    close: () => {},
  };
  await workload.slice();
  return workload;
}

/** A program that imports the package and ends. It finds nothing of earlier starts: only servers leave that. */
export async function openImport({ column }) {
  const { imports } = columns.find(({ name }) => name === column);
  const program = `${imports.map((name) => `import '${name}';`).join('')}
    import { writeSync } from 'node:fs';
    writeSync(1, JSON.stringify(process.cpuUsage()));`;
  return {
    async slice() {
      const start = performance.now();
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', program],
        { cwd: dirname(import.meta.dirname), env: { ...PLAIN, NODE_DISABLE_COMPILE_CACHE: '1' } },
      );
      const elapsedMs = performance.now() - start;
      const { user, system } = JSON.parse(stdout);
      return { messages: 1, elapsedMs, cpuUs: { client: user + system, server: 0 } };
    },
    close: () => {},
  };
}
