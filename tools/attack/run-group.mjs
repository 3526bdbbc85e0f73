// Plays the cases of one group and judges every answer, the server's health after it, and its memory.

import { mismatch } from './expectation.mjs';

/** A case that takes longer hangs the server. */
const CASE_MS = 30_000;

/** What no program may exceed, whatever it is sent. */
const MAX_MEGABYTES = 400;

/**
 * A group is `{ name, open, cases, play, checkEvery?, quickEvery?, maxMegabytes?, skip? }`. `open` starts the
 * target, `play` sends a case and resolves with what came back, and each case holds in `expected` what that must be.
 * A quick run leaves out the cases with `isQuick: false` and plays one in `quickEvery` of the others.
 */
export async function runGroup(group, { isQuick = false } = {}) {
  const report = { name: group.name, cases: 0, failures: [], peak: 0, skipped: group.skip };
  const { checkEvery = 1, quickEvery = 1, maxMegabytes = MAX_MEGABYTES } = group;
  const quick = group.cases.filter((one) => one.isQuick ?? true);
  const cases = isQuick ? quick.filter((_, index) => index % quickEvery === 0) : group.cases;
  if (group.skip !== undefined || cases.length === 0) return report;
  let target = await group.open();
  const fail = (one, problem) => report.failures.push(`${one.name}: ${problem}`);
  for (const [index, one] of cases.entries()) {
    report.cases++;
    const problem = await within(CASE_MS, () => play(group, target, one));
    if (problem !== undefined) fail(one, problem);
    const isDue = (index + 1) % checkEvery === 0 || index === cases.length - 1;
    const illness = isDue ? await within(CASE_MS, () => target.problem()) : undefined;
    if (illness !== undefined) fail(one, `afterwards ${illness}`);
    report.peak = Math.max(report.peak, target.program?.memory.peak ?? 0, target.peak ?? 0);
    // One defect is reported once: what follows is played against a fresh target.
    if (illness !== undefined || /^(?:no answer|threw)/.test(problem ?? '')) {
      await target.close();
      target = await group.open();
    }
  }
  await target.close();
  if (report.peak > maxMegabytes) {
    report.failures.push(`memory: ${Math.round(report.peak)} MB, more than ${maxMegabytes}`);
  }
  return report;
}

async function play(group, target, one) {
  return mismatch(await group.play(target, one), one.expected);
}

/** The problem that work found, that it threw, or that it did not end. */
async function within(ms, work) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${ms / 1000} s`), ms);
  });
  const done = work().catch((error) => `threw ${error.message}`);
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
