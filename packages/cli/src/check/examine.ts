import { byteChecks } from './byte-checks.ts';
import type { Check } from './check.ts';
import { type Finding, fail, pass } from './finding.ts';
import { handshakeChecks } from './handshake-checks.ts';
import { messageChecks } from './message-checks.ts';
import { overallChecks } from './overall-checks.ts';
import { endOf, INITIALIZE, type Patient, type Profile } from './patient.ts';
import type { SeenMessage } from './probe.ts';
import { processChecks } from './process-checks.ts';

/** A finding with the check that made it. */
export interface ReportLine extends Finding {
  readonly check: string;
  readonly title: string;
}

const START = { name: 'start', title: 'starts and answers' };

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [
  ...handshakeChecks,
  ...messageChecks,
  ...byteChecks,
  ...processChecks,
  ...overallChecks,
];

/** Which checks to run, and who hears of findings as they come. */
export interface ExamineOptions {
  readonly only?: readonly string[];
  readonly isPlain?: boolean;
  readonly onFinding?: (line: ReportLine) => void;
}

/** Examines a server. A server that does not answer at all is not examined further. */
export async function examine(
  patient: Patient,
  { only = [], isPlain = false, onFinding }: ExamineOptions = {},
): Promise<ReportLine[]> {
  const report: ReportLine[] = [];
  const add = (
    check: { readonly name: string; readonly title: string },
    finding: Finding,
  ): void => {
    const line = { check: check.name, title: check.title, ...finding };
    report.push(line);
    onFinding?.(line);
  };
  const start = await meet(patient, isPlain);
  add(START, start);
  if (start.status === 'fail') return report;
  for (const check of checks) {
    if (only.length > 0 && !only.includes(check.name)) continue;
    if (check.isMcp === true && !patient.profile.isMcp) continue;
    add(check, await check.run(patient));
  }
  return report;
}

/** Finds out how the server wants to be spoken to. */
async function meet(patient: Patient, isPlain: boolean): Promise<Finding> {
  let last = '';
  for (const framing of ['line', 'header'] as const) {
    const profile = { framing, isMcp: !isPlain };
    await using probe = await patient.start(framing);
    const { startMs } = patient.limits;
    const request = isPlain
      ? { id: 1, method: 'ping' }
      : { id: 1, method: 'initialize', params: INITIALIZE };
    const legacy = await probe.ask(request, startMs);
    last = probe.ended === undefined ? `no answer within ${startMs} ms` : endOf(probe);
    const modern = isPlain ? undefined : await discover(patient, framing);
    if (legacy === undefined && modern === undefined) continue;
    patient.profile = { ...profile, legacy, modern } satisfies Profile;
    if (isPlain || isMcpAnswer(legacy) || isMcpAnswer(modern))
      return pass(`answers in ${framing} framing`);
    return fail(
      `neither \`initialize\` nor \`server/discover\` has a result: ${JSON.stringify(Object(legacy?.value)['error'] ?? null).slice(0, 160)}`,
      'if it is not an MCP server, check it with `--plain`',
    );
  }
  return fail(
    last,
    'run the command by hand and look at what it prints; it must read stdin and answer on stdout',
  );
}

function isMcpAnswer(message: SeenMessage | undefined): boolean {
  return message !== undefined && 'result' in message.value;
}

async function discover(
  patient: Patient,
  framing: Profile['framing'],
): Promise<SeenMessage | undefined> {
  await using probe = await patient.start(framing);
  const { startMs } = patient.limits;
  return await probe.ask(patient.discovery(1), Math.min(startMs, 5000));
}
