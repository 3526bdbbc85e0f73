import { setTimeout as delay } from 'node:timers/promises';
import { encodeFrame } from 'tincan-wire';
import type { Check } from './check.ts';
import { type Finding, fail, pass, warn } from './finding.ts';
import { endOf, type Patient } from './patient.ts';
import type { Probe } from './probe.ts';

const BUFFER_INPUT = 'collect bytes until a message is whole; where a chunk ends means nothing';

/** What the server makes of bytes: where messages are cut, joined, many or large. */
export const byteChecks: readonly Check[] = [
  { name: 'split-message', title: 'a message in pieces', run: splitMessage },
  { name: 'joined-messages', title: 'messages in one piece', run: joinedMessages },
  { name: 'line-ends', title: '`\\r\\n` and blank lines', run: lineEnds },
  { name: 'unicode', title: 'text beyond ASCII', run: unicode },
  { name: 'many-at-once', title: '50 requests at once', run: manyAtOnce },
  { name: 'large-message', title: 'a large message', run: largeMessage },
];

async function splitMessage(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const id = 'cut-é-日-🚲';
  const bytes = Buffer.from(encodeFrame(JSON.stringify(patient.ping(id)), probe.framing));
  probe.asked.push(id);
  // Cut inside the bicycle, which is four bytes long.
  const bike = bytes.indexOf(Buffer.from('🚲')) + 2;
  for (const [from, to] of [
    [0, 9],
    [9, bike],
    [bike, bytes.length],
  ] as const) {
    probe.write(bytes.subarray(from, to));
    await delay(30);
  }
  const answer = await probe.answer(id, patient.limits.answerMs);
  if (answer !== undefined) return pass('put together');
  if (probe.ended !== undefined) return fail(`the server ${endOf(probe)}`, BUFFER_INPUT);
  return fail('not put together', `${BUFFER_INPUT}, nor does a character`);
}

async function joinedMessages(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const names = ['joined-1', 'joined-2', 'joined-3'];
  probe.asked.push(...names);
  probe.write(
    names.map((id) => encodeFrame(JSON.stringify(patient.ping(id)), probe.framing)).join(''),
  );
  return await allAnswered(probe, names, patient, BUFFER_INPUT);
}

async function lineEnds(patient: Patient): Promise<Finding> {
  if (patient.profile.framing !== 'line') return pass('no lines here');
  await using probe = await patient.ready();
  const names = ['after-blank', 'after-crlf'];
  probe.asked.push(...names);
  const [first, second] = names.map((id) => JSON.stringify(patient.ping(id)));
  probe.write(`\n\r\n${first}\r\n${second}\r\n`);
  const finding = await allAnswered(probe, names, patient, 'skip blank lines and take off a `\\r`');
  const errors = probe.messages.filter(
    ({ value }) => value['error'] !== undefined && value['id'] === null,
  );
  if (finding.status === 'pass' && errors.length > 0) {
    return warn('blank lines are answered with an error', 'skip blank lines');
  }
  return finding;
}

/** Many servers quote an unknown method in their answer: that must come back whole. */
async function unicode(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const id = 'ünï-日本-🚲\u2028';
  const request = { id, method: 'tincan/ünï-日本-🚲', params: patient.params() };
  const answer = await probe.ask(request, patient.limits.answerMs);
  const wayOut = 'read and write UTF-8, whatever the locale';
  if (probe.hasBrokenUtf8) return fail('stdout is not UTF-8', wayOut);
  if (answer !== undefined) return pass('comes back whole');
  if (probe.ended !== undefined) return fail(`the server ${endOf(probe)}`, wayOut);
  const isWell = await patient.isWell(probe);
  return fail(isWell ? 'no answer with the same id' : 'nothing is answered any more', wayOut);
}

async function manyAtOnce(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const names = Array.from({ length: 50 }, (_, index) => 1000 + index);
  for (const id of names) probe.send(patient.ping(id));
  return await allAnswered(
    probe,
    names,
    patient,
    'answer each request, whatever else is under way',
  );
}

async function allAnswered(
  probe: Probe,
  names: readonly unknown[],
  patient: Patient,
  wayOut: string,
): Promise<Finding> {
  const missing = (): unknown[] =>
    names.filter((id) => !probe.messages.some(({ value }) => value['id'] === id));
  await probe.until(() => missing().length === 0, patient.limits.answerMs);
  const left = missing();
  if (left.length === 0) return pass('all answered');
  if (probe.ended !== undefined) return fail(`the server ${endOf(probe)}`, wayOut);
  return fail(`${left.length} of ${names.length} get no answer`, wayOut);
}

async function largeMessage(patient: Patient): Promise<Finding> {
  const { largeBytes, startMs } = patient.limits;
  await using probe = await patient.ready();
  const params = patient.params({ text: 'x'.repeat(largeBytes) });
  const size = `${Math.round(largeBytes / 1024 / 1024)} MiB`;
  const answer = await probe.ask({ id: 'large', method: 'tincan/large', params }, startMs);
  const isWell = await patient.isWell(probe);
  const wayOut = 'read it, or skip to its end and refuse it; then go on';
  if (!isWell) {
    const what = probe.ended === undefined ? 'answers nothing any more' : endOf(probe);
    return fail(`after a message of ${size} the server ${what}`, wayOut);
  }
  if (answer !== undefined) return pass(`${size} are answered`);
  return warn(`a message of ${size} gets no answer`, 'refuse it with error -32600 and its id');
}
