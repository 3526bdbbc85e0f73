import { FORMS } from './forms.ts';

/** A form of keys, ready to be tried where its prefix stands. */
export interface Form {
  readonly kind: string;
  readonly prefix: string;
  /** Whether the prefix is masked with what follows. */
  readonly masksPrefix: boolean;
  /** Matches what follows the prefix, at `lastIndex`. */
  readonly rest: RegExp;
  /** The shortest run of letters, digits, `_` and `-` that can begin such a key. */
  readonly leastRun: number;
}

/** The forms by their first two characters. */
export interface FormTable {
  readonly forms: ReadonlyMap<number, readonly Form[]>;
  /** The shortest run that can begin a key of any of them, 0 for none. */
  readonly leastRun: Uint8Array;
}

const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  h: '[0-9a-f]',
  H: '[0-9a-fA-F]',
  a: '[0-9a-z]',
  U: '[0-9A-Z]',
  V: '[0-9A-Z-]',
  w: '[0-9A-Za-z]',
  s: '[0-9A-Za-z_-]',
  k: '[0-9A-Za-z_*-]',
  x: '[0-9A-Za-z_.=-]',
  b: '[0-9A-Za-z+/=_-]',
  p: '[0-9A-Za-z_+/-]',
  t: '[0-9A-Za-z@/-]',
};
/** A longer run of the same characters is another thing, where a length is exact. */
const ENDS: Readonly<Record<string, string>> = {
  d: '(?![0-9A-Za-z])',
  h: '(?![0-9A-Za-z])',
  H: '(?![0-9A-Za-z])',
  a: '(?![0-9A-Za-z])',
  U: '(?![0-9A-Za-z])',
  w: '(?![0-9A-Za-z])',
};

let compiled: FormTable | undefined;

/** The table of forms; compiled at the first call, because many programs need none. */
export function formTable(): FormTable {
  compiled ??= compile();
  return compiled;
}

function compile(): FormTable {
  const forms = new Map<number, Form[]>();
  const leastRun = new Uint8Array(1 << 14);
  for (const line of FORMS.trim().split('\n')) {
    const form = parseForm(line);
    for (const pair of pairsOf(form.prefix)) {
      const least = leastRun[pair] ?? 0;
      if (least === 0 || form.leastRun < least) leastRun[pair] = form.leastRun;
      const held = forms.get(pair) ?? [];
      forms.set(pair, held);
      held.push(form);
    }
  }
  // The longest prefix is the most exact kind.
  for (const held of forms.values()) held.sort((a, b) => b.prefix.length - a.prefix.length);
  return { forms, leastRun };
}

function parseForm(line: string): Form {
  const [kind = '', marked = '', ...pieces] = line.split(' ');
  const masksPrefix = !marked.startsWith('^');
  const prefix = masksPrefix ? marked : marked.slice(1);
  const leastRun = Math.min(255, runOf(prefix, pieces));
  return { kind, prefix, masksPrefix, rest: restPattern(pieces), leastRun };
}

/** A prefix of one letter stands for all pairs that it begins. */
function pairsOf(prefix: string): number[] {
  const first = prefix.charCodeAt(0) << 7;
  if (prefix.length > 1) return [first | prefix.charCodeAt(1)];
  return Array.from({ length: 128 }, (_, code) => first | code);
}

function runOf(prefix: string, pieces: readonly string[]): number {
  const [head = ''] = /^[\w-]*/.exec(prefix) ?? [];
  let least = head.length;
  if (head !== prefix) return Math.max(1, least);
  for (const piece of pieces) {
    const [literal] = /(?<=^')[\w-]+(?='$)/.exec(piece) ?? [];
    const [, count] = /^[dhHaUVws](\d+)/.exec(piece) ?? [];
    if (literal === undefined && count === undefined) break;
    least += literal?.length ?? Number(count);
  }
  return least;
}

/** The pattern of a sequence of counted classes and literals. */
function restPattern(pieces: readonly string[]): RegExp {
  let source = '';
  for (const [i, piece] of pieces.entries()) {
    if (piece.startsWith("'")) source += escapePattern(piece.slice(1, -1));
    else source += classSource(piece, i === pieces.length - 1);
  }
  return new RegExp(source, 'y');
}

function classSource(piece: string, isLast: boolean): string {
  const name = piece.charAt(0);
  const characters = CLASSES[name] ?? '';
  const [, least = '', most] = /^.(\d+)(\+|-\d+)?$/.exec(piece) ?? [];
  // A few thousand characters are more than any key has, and bound the work.
  if (most === '+') return `${characters}{${least},4096}`;
  if (most !== undefined) return `${characters}{${least},${most.slice(1)}}`;
  return `${characters}{${least}}${isLast ? (ENDS[name] ?? '') : ''}`;
}

function escapePattern(text: string): string {
  return text.replace(/[$.*+?()[\]{}|\\/^-]/g, '\\$&');
}
