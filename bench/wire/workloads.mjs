import { openBig } from './workloads/big.mjs';
import { openFlood, openNotify } from './workloads/notifications.mjs';
import { openParser } from './workloads/parser.mjs';
import { openRequests } from './workloads/requests.mjs';
import { openImport, openStart } from './workloads/start.mjs';

/**
 * What is measured. Columns take turns slice by slice, so that a busy moment of the machine falls on
 * neighbours; `reference` is the column that counts as 1.0.
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title
 * @property {'higher' | 'lower'} better
 * @property {'raw' | 'floor'} reference
 * @property {'µs' | 'ms'} cpuUnit
 * @property {number} slices in one round
 * @property {boolean} [isAlone] one column after the other, where all at once would not fit in memory
 * @property {(options: object) => Promise<Measurement | undefined>} open
 *
 * @typedef {object} Measurement one column at one workload, warmed up
 * @property {() => Promise<Sample>} slice
 * @property {() => unknown} close
 *
 * @typedef {object} Sample
 * @property {number} messages
 * @property {number} elapsedMs
 * @property {{ client: number, server: number }} cpuUs
 * @property {{ client: number, server: number }} [peakBytes]
 * @property {number[]} [latencies]
 * @property {string} [note]
 */

/** @type {Workload[]} */
export const workloads = [
  rate('sequential', 'round trips/s, one at a time', requests(1)),
  rate('window64', 'requests/s, 64 in flight', requests(64)),
  rate('window1024', 'requests/s, 1,024 in flight', requests(1024)),
  rate('notify', 'notifications/s to the server', openNotify),
  rate('flood', 'notifications/s to the client', openFlood),
  time('big1', 'ms per 1 MiB echo', { open: big(1, 4), slices: 5 }),
  time('big10', 'ms per 10 MiB echo', { open: big(10, 1), slices: 4 }),
  time('big64', 'ms per 64 MiB echo', { open: big(64, 1), slices: 1, isAlone: true }),
  time('parser', 'ms per 10 MB message in 4 KB chunks, parser alone', {
    reference: 'raw',
    open: openParser,
    slices: 3,
  }),
  time('start', 'ms from process start to the first answer', { reference: 'raw', open: openStart }),
  time('import', 'ms for a program that imports the package', {
    reference: 'raw',
    open: openImport,
  }),
];

function rate(name, title, open) {
  return { name, title, better: 'higher', reference: 'floor', cpuUnit: 'µs', slices: 10, open };
}

function time(name, title, options) {
  const defaults = { better: 'lower', reference: 'floor', cpuUnit: 'ms', slices: 5 };
  return { name, title, ...defaults, ...options };
}

function requests(inFlight) {
  return (options) => openRequests({ ...options, inFlight });
}

function big(mebibytes, repeats) {
  return (options) => openBig({ ...options, mebibytes, repeats });
}
