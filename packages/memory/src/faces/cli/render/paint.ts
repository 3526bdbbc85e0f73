import type { CommandIo } from '../io.ts';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** Puts text into a colour, or leaves it alone where colours are off. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Colours for stdout: in a terminal only, and not where `NO_COLOR` is set. */
export function paintFor({ env, isTerminal }: Pick<CommandIo, 'env' | 'isTerminal'>): Paint {
  const isOn = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return Object.fromEntries(
    Object.entries(CODES).map(([name, code]) => [
      name,
      (text: string) => (isOn ? `\u001B[${code}m${text}\u001B[0m` : text),
    ]),
  ) as Paint;
}
