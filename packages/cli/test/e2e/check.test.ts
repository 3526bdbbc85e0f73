import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BAD, OURS, tincan } from './run-tincan.ts';

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly findings: readonly { check: string; status: string; reason: string; wayOut?: string }[];
}

interface Defect {
  readonly defect: string;
  readonly check: string;
  readonly status: string;
}

async function report(
  server: readonly string[],
  ...options: string[]
): Promise<Report & { code: number | null }> {
  const limits = ['--timeout', '8000', '--answer-timeout', '2500'];
  const { code, stdout, stderr } = await tincan([
    'check',
    '--json',
    ...limits,
    ...options,
    '--',
    ...server,
  ]);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}

function troubles({ findings }: Report): Record<string, string> {
  return Object.fromEntries(
    findings
      .filter(({ status }) => status === 'warn' || status === 'fail')
      .map(({ check, status }) => [check, status]),
  );
}

/** Each defect of the bad server, with the check that must find it. */
const defects = JSON.parse(
  readFileSync(new URL('../fixtures/defects.json', import.meta.url), 'utf8'),
) as readonly Defect[];

/** Checks that look at what the others saw need something to look at. */
const OVERALL = ['stdout', 'one-line', 'envelope', 'answered-once'];

/** Each looks at many runs of a server, one after the other. */
describe('tincan check', { timeout: 180_000 }, () => {
  it('gives our conformance server a clean report, in both eras and framings', async () => {
    const clean = await report(OURS);
    expect(troubles(clean)).toEqual({});
    expect(clean.code).toBe(0);
    const names = clean.findings
      .filter(({ status }) => status === 'pass')
      .map(({ check }) => check);
    expect(names).toEqual(
      expect.arrayContaining([
        'legacy-handshake',
        'modern-handshake',
        'line-framing',
        'header-framing',
      ]),
    );
  });

  it('finds nothing wrong with the server that the bad ones are made from', async () => {
    expect(troubles(await report(BAD('none')))).toEqual({});
  });

  it.each(defects)(
    'finds the defect $defect by the check $check',
    async ({ defect, check, status }) => {
      const only =
        check === 'start' ? [] : [check, ...(OVERALL.includes(check) ? ['unknown-method'] : [])];
      const found = await report(BAD(defect), ...only.flatMap((name) => ['--only', name]));
      expect(troubles(found)).toMatchObject({ [check]: status });
      expect(found.code).toBe(status === 'fail' ? 1 : 0);
      const finding = found.findings.find((one) => one.check === check);
      expect(finding?.reason).not.toBe('');
      expect(finding?.wayOut).toBeTruthy();
    },
  );

  it('counts warnings as failures where that is asked for', async () => {
    const { code, findings } = await report(
      BAD('fails-at-end'),
      '--strict',
      '--only',
      'end-of-input',
    );
    expect(findings.at(-1)?.reason).toContain('exit code 3');
    expect(code).toBe(1);
  });

  it('says what a server that ends at once said last', async () => {
    const { stdout, code } = await tincan(['check', '--', ...BAD('exits-at-start')]);
    expect(stdout).toContain('cannot find my settings');
    expect(code).toBe(1);
  });

  it('ends with exit code 3 when the server cannot be started, and says so in one line', async () => {
    const { code, stderr } = await tincan(['check', '--', 'no-such-program-here']);
    expect(code).toBe(3);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('no-such-program-here')]);
  });

  it('refuses a check that does not exist and names the nearest', async () => {
    const { code, stderr } = await tincan(['check', '--only', 'batsh', '--', 'node']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean `batch`?');
  });

  it('checks a plain JSON-RPC server without asking for MCP', async () => {
    const { findings, code } = await report(
      BAD('none'),
      '--plain',
      '--only',
      'ids',
      '--only',
      'tools',
    );
    expect(findings.map(({ check }) => check)).toEqual(['start', 'ids']);
    expect(code).toBe(0);
  });
});
