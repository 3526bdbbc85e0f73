import { columnFile } from './columns.mjs';
import { usage } from './server-side.mjs';
import { hookSpawn } from './spawn-hook.mjs';

/**
 * A column's client module exports `connect`; workloads know nothing else of it.
 *
 * @callback Connect
 * @param {object} options
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {'echo' | 'note' | 'flood'} options.mode what the workload is about; only raw bytes need it
 * @param {(count: number) => void} options.onTick called for notifications from the server
 * @returns {Promise<Client>}
 *
 * @typedef {object} Client
 * @property {(method: string, params: object) => Promise<any>} request
 * @property {(method: string, params: object) => void} notify
 * @property {() => Promise<unknown>} drained settles when more notifications may be sent
 * @property {() => Promise<unknown>} close
 */

/**
 * Starts a column's server with its client, and a meter on both processes.
 *
 * @param {{ column: string, pipes: boolean, mode?: string, onTick?: (count: number) => void }} options
 */
export async function openSession({ column, pipes, mode = 'echo', onTick = () => {} }) {
  const server = hookSpawn({ pipes });
  const { connect } = await import(columnFile(column, 'client.mjs'));
  /** @type {Client} */
  const client = await connect({
    command: process.execPath,
    args: [...profilingFlags(), columnFile(column, 'server.mjs')],
    mode,
    onTick,
  });
  return { client, metered: (work) => metered(server, work), close: () => client.close() };
}

/**
 * Does the work and tells what both processes spent on it.
 *
 * @param {{ usage(): Promise<{ cpuUs: number, peakBytes: number }> }} server
 * @param {() => Promise<number>} work gives the number of messages
 * @returns {Promise<import('./workloads.mjs').Sample>}
 */
async function metered(server, work) {
  const before = { server: await server.usage(), client: usage() };
  const start = performance.now();
  const messages = await work();
  const elapsedMs = performance.now() - start;
  const after = { client: usage(), server: await server.usage() };
  const spent = (side) => after[side].cpuUs - before[side].cpuUs;
  return {
    messages,
    elapsedMs,
    cpuUs: { client: spent('client'), server: spent('server') },
    peakBytes: { client: after.client.peakBytes, server: after.server.peakBytes },
  };
}

/**
 * A profile is taken of both ends. No other flag is passed on: with `-e` or `--import` each server would
 * run the driver's program again and start the next.
 */
function profilingFlags() {
  return process.execArgv.filter((flag) => /^--cpu-prof(-[a-z]+=.*)?$/.test(flag));
}
