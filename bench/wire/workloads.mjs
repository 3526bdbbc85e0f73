import { measureBig } from './workloads/big.mjs';
import { measureFlood, measureNotify } from './workloads/notifications.mjs';
import { measureParser } from './workloads/parser.mjs';
import { measureRequests } from './workloads/requests.mjs';
import { measureImport, measureStart } from './workloads/start.mjs';

/**
 * What is measured. `reference` is the column that counts as 1.0.
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title
 * @property {'higher' | 'lower'} better
 * @property {'raw' | 'floor'} reference
 * @property {'µs' | 'ms'} cpuUnit
 * @property {(options: object) => Promise<object | undefined>} measure
 */

/** @type {Workload[]} */
export const workloads = [
  rate('sequential', 'round trips/s, one at a time', requests(1)),
  rate('window64', 'requests/s, 64 in flight', requests(64)),
  rate('window1024', 'requests/s, 1,024 in flight', requests(1024)),
  rate('notify', 'notifications/s to the server', measureNotify),
  rate('flood', 'notifications/s to the client', measureFlood),
  time('big1', 'ms per 1 MiB echo', 'floor', big(1, 16)),
  time('big10', 'ms per 10 MiB echo', 'floor', big(10, 3)),
  time('big64', 'ms per 64 MiB echo', 'floor', big(64, 1)),
  time('parser', 'ms per 10 MB message in 4 KB chunks, parser alone', 'raw', measureParser),
  time('start', 'ms from process start to the first answer', 'raw', measureStart),
  time('import', 'ms for a program that imports the package', 'raw', measureImport),
];

function rate(name, title, measure) {
  return { name, title, better: 'higher', reference: 'floor', cpuUnit: 'µs', measure };
}

function time(name, title, reference, measure) {
  return { name, title, better: 'lower', reference, cpuUnit: 'ms', measure };
}

function requests(inFlight) {
  return (options) => measureRequests({ ...options, inFlight });
}

function big(mebibytes, repeats) {
  return (options) => measureBig({ ...options, mebibytes, repeats });
}
