import type { Check } from './check.ts';
import { type Finding, fail, note, pass, warn } from './finding.ts';
import { endOf, errorCode, isResult, type Patient } from './patient.ts';

const SURVIVE = 'catch errors of single messages; answer them, and go on';

/** What the server makes of messages, good and bad. */
export const messageChecks: readonly Check[] = [
  { name: 'unknown-method', title: 'unknown method', run: unknownMethod },
  { name: 'unknown-tool', title: 'unknown tool', isMcp: true, run: unknownTool },
  { name: 'parse-error', title: 'bad JSON', run: parseError },
  { name: 'invalid-request', title: 'JSON that is not a request', run: invalidRequest },
  { name: 'notifications', title: 'notifications get no answer', run: notifications },
  { name: 'batch', title: 'batch of requests', run: batch },
  { name: 'ids', title: 'ids come back as they were', run: ids },
];

async function unknownMethod(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const request = { id: 'unknown', method: 'tincan/no-such-method', params: patient.params() };
  const answer = await probe.ask(request, patient.limits.answerMs);
  const wayOut = 'answer with error -32601';
  if (answer === undefined && probe.ended !== undefined)
    return fail(`the server ${endOf(probe)}`, SURVIVE);
  if (answer === undefined) return fail('no answer: callers wait for ever', wayOut);
  if (isResult(answer)) return fail('answered with a result', wayOut);
  const code = errorCode(answer);
  return code === -32601 ? pass('-32601') : warn(`error ${String(code)} instead of -32601`, wayOut);
}

async function unknownTool(patient: Patient): Promise<Finding> {
  const { legacy, modern } = patient.profile;
  const { capabilities } = Object((legacy ?? modern)?.value['result']) as {
    capabilities?: unknown;
  };
  if (!Object.hasOwn(Object(capabilities), 'tools')) return note('the server has no tools');
  await using probe = await patient.ready();
  const params = patient.params({ name: 'tincan-no-such-tool', arguments: {} });
  const answer = await probe.ask(
    { id: 'tool', method: 'tools/call', params },
    patient.limits.answerMs,
  );
  const wayOut = 'answer with error -32602, or with a result that has `isError`';
  if (answer === undefined && probe.ended !== undefined)
    return fail(`the server ${endOf(probe)}`, SURVIVE);
  if (answer === undefined) return fail('no answer: callers wait for ever', wayOut);
  if (!isResult(answer)) return pass(`error ${String(errorCode(answer))}`);
  if (Object(answer.value['result']).isError === true) return pass('a result with `isError`');
  return fail('answered as if it had worked', wayOut);
}

/** Sends something broken, then a ping: is there an answer with one of these codes, and life after it? */
async function broken(
  patient: Patient,
  text: string,
  { codes, what }: { readonly codes: readonly number[]; readonly what: string },
): Promise<Finding> {
  await using probe = await patient.ready();
  const before = probe.messages.length;
  probe.write(
    patient.profile.framing === 'line'
      ? `${text}\n`
      : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  const isWell = await patient.isWell(probe);
  if (!isWell && probe.ended !== undefined)
    return fail(`${what}, and the server ${endOf(probe)}`, SURVIVE);
  if (!isWell) return fail(`${what}, and nothing is answered any more`, SURVIVE);
  const find = (): unknown[] =>
    probe.messages
      .slice(before)
      .map((message) => errorCode(message))
      .filter((code) => code !== undefined);
  if (find().length === 0) await patient.settle(probe);
  const given = find();
  if (given.some((code) => codes.some((wanted) => wanted === code))) return pass(String(codes[0]));
  if (given.length > 0)
    return warn(
      `error ${given.join(', ')} instead of ${codes[0]}`,
      `answer with error ${codes[0]}`,
    );
  return warn(
    `${what} is passed over in silence; its sender never knows`,
    `answer with error ${codes[0]} and the id, or null`,
  );
}

function parseError(patient: Patient): Promise<Finding> {
  return broken(patient, '{"jsonrpc":"2.0","id":"bad","method":', {
    codes: [-32700],
    what: 'bad JSON',
  });
}

function invalidRequest(patient: Patient): Promise<Finding> {
  return broken(patient, '{"jsonrpc":"2.0","id":"empty"}', {
    codes: [-32600, -32601, -32700],
    what: 'a request without a method',
  });
}

async function notifications(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const before = probe.messages.length;
  probe.send({
    jsonrpc: '2.0',
    method: 'notifications/tincan-no-such-notification',
    params: patient.params(),
  });
  const isWell = await patient.isWell(probe);
  if (!isWell) return fail(`an unknown notification, and the server ${endOf(probe)}`, SURVIVE);
  await patient.settle(probe);
  const answers = probe.messages
    .slice(before)
    .filter(({ value }) => value['method'] === undefined && value['id'] !== 'still-there');
  if (answers.length === 0) return pass('silence');
  return fail(
    `answered with ${JSON.stringify(answers[0]?.value).slice(0, 120)}`,
    'a message without an id gets no answer, not even an error',
  );
}

async function batch(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  const before = probe.messages.length;
  probe.send([patient.ping('batch-1'), patient.ping('batch-2')]);
  const isWell = await patient.isWell(probe);
  if (!isWell && probe.ended !== undefined)
    return fail(`a batch, and the server ${endOf(probe)}`, SURVIVE);
  if (!isWell) return fail('a batch, and nothing is answered any more', SURVIVE);
  const answers = (): typeof probe.messages =>
    probe.messages
      .slice(before)
      .filter(({ value }) => value['id'] !== 'still-there' && value['method'] === undefined);
  if (answers().length === 0) await patient.settle(probe);
  const given = answers();
  if (given.length === 0) {
    return warn(
      'passed over in silence',
      'answer each request in an array, or refuse the batch with error -32600',
    );
  }
  if (
    given.every((message) => !isResult(message)) &&
    given.some((message) => errorCode(message) !== -32601)
  ) {
    return pass(`refused with error ${String(errorCode(given[0]))}`);
  }
  if (!given.some(({ isBatch }) => isBatch)) {
    return warn('answered one by one', 'answer a batch with one array');
  }
  return given.length === 2
    ? pass('answered as one array')
    : fail(`${given.length} answers to 2 requests`, 'answer each request once');
}

const IDS: readonly unknown[] = [0, 1, '1', -7, 2 ** 53 - 1, '', 'ünï-日本-🚲', '9007199254740993'];

async function ids(patient: Patient): Promise<Finding> {
  await using probe = await patient.ready();
  for (const id of IDS) {
    const answer = await probe.ask(patient.ping(id), patient.limits.answerMs);
    if (answer !== undefined) continue;
    if (probe.ended !== undefined)
      return fail(`id ${JSON.stringify(id)}, and the server ${endOf(probe)}`, SURVIVE);
    const last = probe.messages.at(-1)?.value['id'];
    const got =
      probe.messages.length === 0 || IDS.includes(last)
        ? 'no answer'
        : `came back as ${JSON.stringify(last)}`;
    return fail(
      `id ${JSON.stringify(id)}: ${got}`,
      'send the id back as it came: 0 and "" are ids, "1" is not 1',
    );
  }
  return pass(`${IDS.length} kinds of ids`);
}
