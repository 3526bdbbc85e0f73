import { LEGACY_VERSIONS, MODERN_VERSIONS } from 'tincan-mcp';
import type { Framing } from 'tincan-wire';
import type { Check } from './check.ts';
import { type Finding, fail, note, pass, warn } from './finding.ts';
import { errorCode, INITIALIZE, isResult, type Patient } from './patient.ts';

const SLOW_MS = 2000;

/** Whether hands can be shaken, in which era and framing, and how fast. */
export const handshakeChecks: readonly Check[] = [
  { name: 'start-up-time', title: 'time from start to first answer', run: startUpTime },
  { name: 'legacy-handshake', title: '`initialize`', isMcp: true, run: legacyHandshake },
  { name: 'modern-handshake', title: '`server/discover`', isMcp: true, run: modernHandshake },
  {
    name: 'line-framing',
    title: 'one message per line',
    run: (patient) => framing(patient, 'line'),
  },
  {
    name: 'header-framing',
    title: '`Content-Length` headers',
    run: (patient) => framing(patient, 'header'),
  },
  { name: 'tools', title: 'list of tools', isMcp: true, run: tools },
];

async function startUpTime(patient: Patient): Promise<Finding> {
  await using probe = await patient.start();
  // What clients send first.
  const request = patient.isLegacy
    ? { id: 1, method: 'initialize', params: INITIALIZE }
    : patient.ping(1);
  const answer = await probe.ask(request, patient.limits.startMs);
  const ms = Math.round(performance.now() - probe.startedMs);
  if (answer === undefined) {
    return fail(
      `no answer within ${patient.limits.startMs} ms`,
      'answer the first request before loading what it does not need',
    );
  }
  if (ms < SLOW_MS) return pass(`${ms} ms`);
  return warn(
    `${ms} ms; people wait for it, and clients give up`,
    'load what the first answer does not need later',
  );
}

async function legacyHandshake({ profile }: Patient): Promise<Finding> {
  const { legacy, modern } = profile;
  if (!isResult(legacy)) {
    if (isResult(modern)) return note('not supported: a server of the modern era alone');
    return fail(
      `no result: ${JSON.stringify(legacy?.value ?? 'no answer').slice(0, 120)}`,
      'answer `initialize` with protocolVersion, capabilities and serverInfo',
    );
  }
  const result = Object(legacy?.value['result']) as Record<string, unknown>;
  const { protocolVersion, capabilities, serverInfo } = result;
  if (!LEGACY_VERSIONS.some((version) => version === protocolVersion)) {
    return fail(
      `protocolVersion is \`${String(protocolVersion)}\``,
      `answer with one of ${LEGACY_VERSIONS.join(', ')}: the one asked for, if it is supported`,
    );
  }
  if (typeof capabilities !== 'object' || capabilities === null) {
    return fail(
      'the result has no `capabilities`',
      'answer with an object, if need be an empty one',
    );
  }
  const { name, version } = Object(serverInfo) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string' || typeof version !== 'string') {
    return fail(
      'the result has no `serverInfo` with name and version',
      'clients validate it, and refuse the server',
    );
  }
  return pass(`${name} ${version}, ${String(protocolVersion)}`);
}

async function modernHandshake({ profile }: Patient): Promise<Finding> {
  const { legacy, modern } = profile;
  if (isResult(modern)) {
    const { supportedVersions } = Object(modern?.value['result']) as {
      supportedVersions?: unknown;
    };
    if (!Array.isArray(supportedVersions)) {
      return fail(
        'the result has no `supportedVersions`',
        'list the protocol versions of the server',
      );
    }
    const known = MODERN_VERSIONS.find((version) => supportedVersions.includes(version));
    if (known !== undefined) return pass(known);
    return fail(
      `supports ${supportedVersions.join(', ')}`,
      `support ${MODERN_VERSIONS.join(' or ')}`,
    );
  }
  if (modern === undefined && isResult(legacy)) {
    return warn(
      'a question of the modern era gets no answer; clients wait for one before they fall back',
      'answer unknown methods with -32601, also before `initialize`',
    );
  }
  const code = errorCode(modern);
  return note(`not supported: error ${String(code)}, a server of the legacy era`);
}

async function framing(patient: Patient, wanted: Framing): Promise<Finding> {
  await using probe = await patient.ready(wanted);
  const answer = await probe.ask(patient.ping('framed'), patient.limits.answerMs);
  if (answer === undefined) {
    if (wanted === patient.profile.framing) return fail('no answer', 'answer each message');
    const what = wanted === 'line' ? 'lines' : 'headers';
    return note(`not supported: ${what} get no answer`);
  }
  if (answer.framing !== wanted) {
    return fail(
      `asked with ${wanted} framing, answered with ${answer.framing} framing`,
      'answer in the framing of the request',
    );
  }
  return pass('answered in kind');
}

async function tools(patient: Patient): Promise<Finding> {
  const { legacy, modern } = patient.profile;
  const { capabilities } = Object((legacy ?? modern)?.value['result']) as {
    capabilities?: unknown;
  };
  if (!Object.hasOwn(Object(capabilities), 'tools')) return note('the server has no tools');
  await using probe = await patient.ready();
  const request = { id: 'tools', method: 'tools/list', params: patient.params() };
  const answer = await probe.ask(request, patient.limits.startMs);
  const { tools: list } = Object(answer?.value['result']) as { tools?: unknown };
  if (!Array.isArray(list)) return fail('`tools/list` has no list', 'answer with `tools`');
  const seen = new Set<unknown>();
  for (const tool of list) {
    const { name, inputSchema, description } = Object(tool) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '')
      return fail('a tool has no name', 'name every tool');
    if (seen.has(name))
      return fail(`two tools are called \`${name}\``, 'give each a name of its own');
    seen.add(name);
    if (Object(inputSchema).type !== 'object') {
      return fail(
        `\`inputSchema\` of \`${name}\` is no schema of an object`,
        'give it `type: "object"`; clients refuse the whole list',
      );
    }
    if (typeof description !== 'string' || description.trim() === '') {
      return warn(`\`${name}\` has no description`, 'models choose tools by their description');
    }
  }
  return pass(`${list.length} ${list.length === 1 ? 'tool' : 'tools'}`);
}
