import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const TIMEOUT_MS = 120_000;

/**
 * Measures some columns at one workload for one round.
 *
 * @param {import('./workloads.mjs').Workload} workload
 * @param {string[]} names of the columns, in turn
 * @param {{ pipes: boolean, sliceMs: number }} options
 * @returns {Promise<Map<string, import('./workloads.mjs').Sample[] | { failed: string }>>}
 */
export async function measureRound(workload, names, options) {
  if (!workload.isAlone) return measureTogether(workload, names, options);
  const results = new Map();
  for (const name of names) {
    for (const entry of await measureTogether(workload, [name], options)) results.set(...entry);
  }
  return results;
}

async function measureTogether({ name: workload, slices }, names, options) {
  const drivers = new Map();
  const results = new Map();
  for (const column of names) {
    const driver = startDriver({ ...options, workload, column });
    await settle(column, driver, async () => {
      if ((await driver.next()) === 'ready') drivers.set(column, driver);
      else driver.end();
    });
  }
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [column, driver] of drivers) {
      await settle(column, driver, async () => {
        driver.ask();
        results.set(column, [...(results.get(column) ?? []), await driver.next()]);
      });
    }
  }
  for (const driver of drivers.values()) await driver.end();
  return results;

  /** A library that fails has failed; the others go on. */
  async function settle(column, driver, work) {
    try {
      await work();
    } catch (error) {
      results.set(column, { failed: error.message });
      drivers.delete(column);
      driver.kill();
    }
  }
}

/** A process that measures one column at one workload; `folder` may be that of another checkout. */
export function startDriver(task, folder = import.meta.dirname) {
  const file = join(folder, 'driver.mjs');
  const child = fork(file, [JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-4000);
  });
  return {
    ask: () => child.send('slice'),
    async next() {
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        const [answer] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(() => Promise.reject(new Error(reasonIn(errors)))),
        ]);
        return answer;
      } finally {
        stop.abort();
      }
    },
    async end() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function reasonIn(errors) {
  const [reason = 'the driver ended without a result'] = /^\w*Error.*$/m.exec(errors) ?? [];
  return reason.slice(0, 80);
}
