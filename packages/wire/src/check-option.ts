import { WireError } from './errors.ts';
import { nearestName } from './nearest-name.ts';

/** Refuses a number that is not one of the kind an option takes, naming the option and what came. */
export function checkCount(
  name: string,
  value: number,
  { min = 0, infinite = false }: { min?: number; infinite?: boolean } = {},
): number {
  if (infinite && value === Number.POSITIVE_INFINITY) return value;
  if (Number.isSafeInteger(value) && value >= min) return value;
  const kind = `an integer of at least ${min}${infinite ? ' or Infinity' : ''}`;
  throw new WireError('BAD_OPTION', `expected \`${name}\` to be ${kind}, got \`${String(value)}\``);
}

/** Refuses a value that is not in a closed set. */
export function checkOneOf<T extends string>(name: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  const list = allowed.map((item) => `\`${item}\``).join(', ');
  throw new WireError('BAD_OPTION', `expected \`${name}\` to be one of ${list}, got \`${value}\``);
}

/** Refuses keys an options object does not know, so that a misspelt option is never silently ignored. */
export function checkKeys(what: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
    throw new WireError('BAD_OPTION', `unknown option \`${key}\` of ${what}${hint}`);
  }
}
