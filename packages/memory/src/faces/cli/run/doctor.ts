import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { type Check, diagnose } from '../doctor/diagnose.ts';
import { present } from '../render/format.ts';
import { printable } from '../render/graphemes.ts';
import { type Paint, paintFor } from '../render/paint.ts';
import { settingsFor } from './with-memory.ts';

/** `doctor` */
export const runDoctor: RunCommand = async (args, io) => {
  const checks = await diagnose(() => settingsFor(args, io));
  const isWell = checks.every(({ status }) => status !== 'fail');
  await present(args, io, {
    json: { ok: isWell, checks },
    text: () => render(checks, paintFor(io)),
  });
  return isWell ? ExitCode.Ok : ExitCode.Failed;
};

function render(checks: readonly Check[], { green, yellow, red, bold }: Paint): string {
  const marks = { ok: green('✓'), warn: yellow('!'), fail: red('✗') };
  const left = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, status, message, fix }) => [
      `${marks[status]} ${bold(name.padEnd(left))}  ${printable(message)}`,
      ...(fix === undefined ? [] : [`  ${' '.repeat(left)}  → ${printable(fix)}`]),
    ])
    .join('\n');
}
