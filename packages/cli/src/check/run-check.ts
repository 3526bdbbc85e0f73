import { resolve } from 'node:path';
import { nearestName } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { table } from '../format/table.ts';
import { pad, printable, wrap } from '../format/text.ts';
import { serverCommand } from '../session/server-command.ts';
import { checks, examine, type ReportLine } from './examine.ts';
import type { Status } from './finding.ts';
import { Patient } from './patient.ts';

const MARKS: Readonly<Record<Status, string>> = { pass: '✓', note: '·', warn: '!', fail: '✗' };

/** Examines a server and prints the report. */
export async function runCheck(args: Arguments, io: Io): Promise<number> {
  if (args.flag('list')) {
    for (const line of table(checks.map(({ name, title }) => [name, title]))) io.print(line);
    return ExitCode.Ok;
  }
  const only = args.list('only');
  for (const name of only) checkName(name);
  const { command, args: rest = [], cwd, env, envPolicy } = serverCommand(args);
  const patient = new Patient(
    {
      command,
      args: rest,
      cwd: cwd === undefined ? io.cwd : resolve(io.cwd, cwd),
      env: environment(envPolicy, env ?? {}, io),
    },
    {
      startMs: args.number('timeout') ?? 10_000,
      answerMs: args.number('answer-timeout') ?? 3000,
      largeBytes: args.number('size') ?? 5 * 1024 * 1024,
    },
  );
  const asJson = args.flag('json');
  const report = await examine(patient, {
    only,
    isPlain: args.flag('plain'),
    ...(!asJson && { onFinding: (line) => printLine(line, io) }),
  });
  const count = (status: Status): number => report.filter((line) => line.status === status).length;
  const summary = {
    pass: count('pass'),
    note: count('note'),
    warn: count('warn'),
    fail: count('fail'),
  };
  if (asJson) io.print(JSON.stringify({ server: args.server, summary, findings: report }, null, 2));
  else {
    io.print('');
    io.print(
      `${summary.pass} passed, ${summary.note} noted, ${summary.warn} warnings, ${summary.fail} failed`,
    );
  }
  const isBad = summary.fail > 0 || (args.flag('strict') && summary.warn > 0);
  return isBad ? ExitCode.Failed : ExitCode.Ok;
}

function checkName(name: string): void {
  const names = checks.map((check) => check.name);
  if (names.includes(name)) return;
  const guess = nearestName(name, names);
  throw usageError(
    `unknown check \`${name}\`${guess === undefined ? '; `tincan check --list` lists them' : `; did you mean \`${guess}\`?`}`,
  );
}

/** The environment of the server: all of ours, or as little as a client would pass on. */
function environment(
  policy: string | undefined,
  given: Readonly<Record<string, string | undefined>>,
  { env }: Io,
): NodeJS.ProcessEnv {
  if (policy === 'none') return { ...given };
  if (policy === 'safe') {
    const kept = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];
    return { ...Object.fromEntries(kept.map((name) => [name, env[name]])), ...given };
  }
  return { ...env, ...given };
}

function printLine({ check, title, status, reason, wayOut }: ReportLine, io: Io): void {
  const { red, green, yellow, dim, bold } = io.paint;
  const colour = { pass: green, note: dim, warn: yellow, fail: red }[status];
  io.print(
    `${colour(MARKS[status])} ${bold(pad(check, 17))} ${title}${dim(':')} ${colour(printable(reason))}`,
  );
  if (wayOut === undefined) return;
  for (const line of wrap(wayOut, Math.max(30, io.width - 22)))
    io.print(`${pad('', 20)}${dim(line)}`);
}
