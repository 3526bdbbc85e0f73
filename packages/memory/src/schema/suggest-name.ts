import { nearestName } from 'tincan-wire';

/** What to write in place of an unknown name: the nearest one, or any of the known. */
export function suggestName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (known.length === 0) return 'expected none';
  return `expected one of ${known.map((each) => `\`${each}\``).join(', ')}`;
}
