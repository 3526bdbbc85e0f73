import { codeAt, isDigit, isRunCode } from './characters.ts';
import type { Scan } from './scan.ts';

interface InnerForm {
  readonly kind: string;
  readonly middle: string;
  /** How many characters may stand before the middle, and which. */
  readonly before: {
    readonly least: number;
    readonly most: number;
    readonly is: (code: number) => boolean;
  };
  /** The middle and the character before it. */
  readonly seek: RegExp;
  /** Tried where the counts fit. */
  readonly head: RegExp;
  readonly after: RegExp;
}

/** Forms that begin with nothing telling: they are known by what stands in their middle. */
const INNER_FORMS: readonly InnerForm[] = [
  {
    ...{ kind: 'telegram-token', middle: ':AA' },
    before: { least: 8, most: 10, is: isDigit },
    seek: /\d:AA/g,
    head: /^\d+$/,
    after: /[0-9A-Za-z_-]{33,64}/y,
  },
  {
    ...{ kind: 'mailchimp-key', middle: '-us' },
    before: { least: 32, most: 32, is: isHexadecimal },
    seek: /[0-9a-f]-us(?=\d)/g,
    head: /^[0-9a-f]+$/,
    after: /\d{1,2}(?![0-9A-Za-z])/y,
  },
  {
    ...{ kind: 'terraform-token', middle: '.atlasv1.' },
    before: { least: 14, most: 14, is: isRunCode },
    seek: /[0-9A-Za-z]\.atlasv1\./g,
    head: /^[0-9A-Za-z]+$/,
    after: /[0-9A-Za-z_-]{60,200}/y,
  },
  {
    ...{ kind: 'azure-secret', middle: 'Q~' },
    before: { least: 4, most: 4, is: isAzureCode },
    seek: /\dQ~/g,
    head: /^[0-9A-Za-z_~.]{3}\d$/,
    after: /[0-9A-Za-z_~.-]{31,34}(?![0-9A-Za-z_~-])/y,
  },
  {
    ...{ kind: 'maxmind-key', middle: '_mmk' },
    before: { least: 36, most: 36, is: isRunCode },
    seek: /[0-9A-Za-z]_mmk(?![0-9A-Za-z_])/g,
    head: /^[0-9A-Za-z]{6}_[0-9A-Za-z]{29}$/,
    after: /(?![0-9A-Za-z_])/y,
  },
];

export function findInner(scan: Scan): void {
  const { text } = scan;
  for (const { kind, middle, before, seek, head, after } of INNER_FORMS) {
    if (!text.includes(middle)) continue;
    seek.lastIndex = 0;
    for (let match = seek.exec(text); match !== null; match = seek.exec(text)) {
      const at = match.index + 1;
      after.lastIndex = at + middle.length;
      if (!after.test(text)) continue;
      let start = at;
      while (at - start <= before.most && before.is(codeAt(text, start - 1))) start -= 1;
      if (at - start < before.least || at - start > before.most) continue;
      if (!head.test(text.slice(start, at))) continue;
      scan.add(start, after.lastIndex, kind);
    }
  }
}

function isHexadecimal(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 102);
}

function isAzureCode(code: number): boolean {
  return isRunCode(code) || code === 46 || code === 126;
}
