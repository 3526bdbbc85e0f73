/** What a setting may hold: how it reads as text, and how to tell a good value from a bad one. */
export interface Expectation {
  /** Completes the sentence "expected …". */
  readonly phrase: string;
  /** Names to suggest when a value is close to one of them. */
  readonly choices?: readonly string[];
  accepts(value: unknown): boolean;
  /** Turns the text of a variable or flag into a value; `accepts` still judges it. */
  fromText(text: string): unknown;
}

/** Any text but the empty one. */
export function text(phrase = 'a text'): Expectation {
  return {
    phrase,
    accepts: (value) => typeof value === 'string' && value.trim() !== '',
    fromText: (raw) => raw,
  };
}

/** One of a closed set of words. */
export function choice(...choices: readonly string[]): Expectation {
  return {
    phrase: `one of ${choices.map((name) => `\`${name}\``).join(', ')}`,
    choices,
    accepts: (value) => typeof value === 'string' && choices.includes(value),
    fromText: (raw) => raw.trim(),
  };
}

/** A whole number within bounds. */
export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Expectation {
  const bounds =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    phrase: `a whole number ${bounds}`,
    accepts: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    fromText: numberFromText,
  };
}

/** An amount of money, tokens or the like: any finite number that is not negative. */
export function amount(): Expectation {
  return { phrase: 'a number of at least 0', accepts: isAmount, fromText: numberFromText };
}

/** On or off. */
export function toggle(): Expectation {
  return {
    phrase: '`true` or `false`',
    accepts: (value) => typeof value === 'boolean',
    fromText: (raw) => {
      const word = raw.trim().toLowerCase();
      if (['1', 'true', 'on', 'yes'].includes(word)) return true;
      return ['0', 'false', 'off', 'no', ''].includes(word) ? false : raw;
    },
  };
}

/** A list of texts; as a variable or flag, separated by commas. */
export function texts(phrase = 'a list of texts'): Expectation {
  return {
    phrase,
    accepts: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
    fromText: (raw) =>
      raw
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  };
}

/** A program with its arguments; as a variable or flag, separated by spaces. */
export function command(): Expectation {
  return {
    phrase: 'a list: a program and its arguments',
    accepts: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'),
    fromText: (raw) => raw.split(/\s+/).filter((item) => item !== ''),
  };
}

/** An address a request can be sent to. */
export function httpUrl(): Expectation {
  return {
    phrase: 'an `http://` or `https://` address',
    accepts: (value) =>
      typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
    fromText: (raw) => raw.trim(),
  };
}

/** A name of the IANA time zone database. */
export function timeZone(): Expectation {
  return {
    phrase: 'a time zone such as `Europe/Paris` or `UTC`',
    accepts: (value) => typeof value === 'string' && isTimeZone(value),
    fromText: (raw) => raw.trim(),
  };
}

/** Prices per million tokens and per thousand searches, by model. */
export function prices(): Expectation {
  return {
    phrase:
      'a mapping from model to `{input, cached, output, search}` (per million tokens, search per thousand)',
    accepts: (value) => isMapping(value) && Object.values(value).every(isPrice),
    fromText: jsonFromText,
  };
}

/** Lets a setting be switched off with `null`. */
export function optional(inner: Expectation): Expectation {
  return {
    ...inner,
    phrase: `${inner.phrase}, or \`null\``,
    accepts: (value) => value === null || inner.accepts(value),
    fromText: (raw) => (raw.trim() === '' || raw.trim() === 'null' ? null : inner.fromText(raw)),
  };
}

function numberFromText(raw: string): unknown {
  return raw.trim() === '' ? raw : Number(raw);
}

function jsonFromText(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Not JSON: `accepts` refuses the text and the message quotes it.
    return raw;
  }
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const priceKeys = ['input', 'cached', 'output', 'search'];

function isPrice(value: unknown): boolean {
  return (
    isMapping(value) &&
    Object.entries(value).every(([key, price]) => priceKeys.includes(key) && isAmount(price))
  );
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // The constructor throws for exactly the names it does not know.
    return false;
  }
}
