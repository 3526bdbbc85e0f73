import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from './check.ts';
import { type Finding, fail, note, pass, warn } from './finding.ts';
import { endOf, type Patient } from './patient.ts';
import { descendantsOf, isAlive, stateOf } from './process-tree.ts';

/** How the server behaves as a process. */
export const processChecks: readonly Check[] = [
  { name: 'end-of-input', title: 'ends when its input ends', run: endOfInput },
  { name: 'last-answer', title: 'answers what came before the end', run: lastAnswer },
  { name: 'sigterm', title: 'ends on SIGTERM', run: (patient) => endsOn(patient, 'SIGTERM') },
  { name: 'sigint', title: 'ends on SIGINT', run: (patient) => endsOn(patient, 'SIGINT') },
  { name: 'orphans', title: 'leaves no processes behind', run: orphans },
  { name: 'idle', title: 'rests when there is nothing to do', run: idle },
  { name: 'stderr', title: 'what it writes to stderr', run: stderr },
];

async function endOfInput(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  await patient.isWell(probe);
  const from = performance.now();
  probe.closeInput();
  const ended = await probe.exit(patient.limits.answerMs);
  const ms = Math.round(performance.now() - from);
  if (ended === undefined) {
    return fail(
      `still running ${ms} ms after the end of input; clients must kill it, or leave it behind`,
      'end the process when stdin ends: close timers, sockets and child processes',
    );
  }
  if (ended.exitCode !== 0)
    return warn(endOf(probe), 'the end of input is a normal end: exit with code 0');
  return pass(`exit code 0 after ${ms} ms`);
}

async function lastAnswer(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  await patient.isWell(probe);
  probe.send(patient.ping('last'));
  probe.closeInput();
  const answer = await probe.answer('last', patient.limits.answerMs);
  if (answer !== undefined) return pass('answered');
  return warn(
    'a request right before the end of input gets no answer',
    'answer what was received before ending: `echo … | server` is how people try servers',
  );
}

async function endsOn(patient: Patient, signal: 'SIGTERM' | 'SIGINT'): Promise<Finding> {
  await using probe = await patient.ready();
  await patient.isWell(probe);
  const from = performance.now();
  probe.kill(signal);
  const ended = await probe.exit(patient.limits.answerMs);
  const ms = Math.round(performance.now() - from);
  if (ended !== undefined)
    return pass(`${ended.signal ?? `exit code ${ended.exitCode}`} after ${ms} ms`);
  const reason = `still running ${ms} ms after ${signal}`;
  const wayOut = 'end the process in the handler of the signal, or have none';
  return signal === 'SIGTERM' ? fail(reason, wayOut) : warn(reason, wayOut);
}

async function orphans(patient: Patient): Promise<Finding> {
  if (process.platform !== 'linux') return note('cannot be seen on this platform');
  await using probe = await patient.ready();
  await patient.isWell(probe);
  const started = descendantsOf(probe.pid);
  probe.closeInput();
  if ((await probe.exit(patient.limits.answerMs)) === undefined) probe.kill('SIGTERM');
  await probe.exit(patient.limits.answerMs);
  const left = await leftAfter(started, patient.limits.answerMs);
  for (const pid of left) endProcess(pid);
  if (left.length > 0) {
    return fail(
      `${left.length} of the processes it started outlive it`,
      'end child processes before ending, or start them so that they end with you',
    );
  }
  return pass(started.length === 0 ? 'it starts none' : `${started.length} started, none left`);
}

async function leftAfter(pids: readonly number[], ms: number): Promise<number[]> {
  const deadline = performance.now() + Math.min(ms, 1000);
  let left = pids.filter(isAlive);
  while (left.length > 0 && performance.now() < deadline) {
    await delay(50);
    left = left.filter(isAlive);
  }
  return left;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone after all.
  }
}

/** How often to look, and how long to wait between. */
const LOOKS = 20;
const LOOK_MS = 25;

/** Looks whether it wants the processor, not how much of it it gets: that depends on who else does. */
async function idle(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  await patient.isWell(probe);
  await delay(300);
  let busy = 0;
  for (let look = 0; look < LOOKS; look++) {
    await delay(LOOK_MS);
    const states = [probe.pid, ...descendantsOf(probe.pid)].map(stateOf);
    if (states[0] === undefined) return note('cannot be seen on this platform');
    if (states.includes('R')) busy++;
  }
  const share = Math.round((busy / LOOKS) * 100);
  if (share < 60) return pass(`busy ${share} % of the time`);
  return warn(
    `busy ${share} % of the time while nothing happens`,
    'wait for input instead of asking for it',
  );
}

const NOISY_LINES = 25;

async function stderr(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  await patient.isWell(probe);
  await patient.settle(probe);
  const text = probe.stderr.trim();
  const lines = text === '' ? 0 : text.split('\n').length;
  if (lines <= NOISY_LINES) return pass(`${lines} lines up to the first answers`);
  return warn(
    `${lines} lines up to the first answers; clients keep and show them`,
    'log less unless asked to',
  );
}
