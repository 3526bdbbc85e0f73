import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/framing/decoded.ts';
import type { FrameDecoderOptions } from '../../src/framing/frame-decoder.ts';
import type { Framing } from '../../src/framing/framing.ts';
import { bytesOf, cutAt, decodeChunks, headed, outline, valuesOf } from './decode.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2000);
const TIMEOUT_MS = 60_000 + RUNS * 20;

/** Streams of everything that is allowed, and cuts at random places. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '\n',
    '\r\n\r\n',
    'Content-Length: 5\r\n\r\n',
    '{"',
    '\\',
    '\u2028',
    '\uFEFF',
    '\0',
  ),
);
const payload = fc.oneof(
  text,
  fc.integer(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
);
const id = fc.oneof(fc.nat(), text);
const call = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method: text, params: fc.array(payload) }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: payload }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: text }),
);
const message: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: call },
  { weight: 1, arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }) },
);

const DRESSES = {
  line: (body: string) => bytesOf(body, '\n'),
  'CRLF line': (body: string) => bytesOf(body, '\r\n'),
  'BOM line': (body: string) => bytesOf('\uFEFF', body, '\n'),
  'blank lines': (body: string) => bytesOf('\n \t\r\n  ', body, ' \n\n'),
  header: (body: string) => headed(body),
  'lower-case header': (body: string) => headed(body, 'content-length'),
  'LF header': (body: string) => bytesOf(`Content-Length:${Buffer.byteLength(body)}\n\n`, body),
  'BOM body': (body: string) => headed(`\uFEFF${body}`),
  'header and CRLF': (body: string) => bytesOf(headed(body), '\r\n'),
  'more headers': (body: string) =>
    bytesOf('Content-Type: x; charset=utf-8\r\nX-Y: z\r\n', headed(body)),
} as const;
type Dress = keyof typeof DRESSES;

const dress = fc.constantFrom(...(Object.keys(DRESSES) as Dress[]));
const dressed = fc.tuple(message, dress);
const end = fc.constantFrom<FrameDecoderOptions>({}, { lenient: true });
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

function chunked(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  return cutAt(
    bytes,
    fractions.map((fraction) => Math.floor(fraction * bytes.length)),
  );
}

function put(value: unknown, how: Dress): Buffer {
  return DRESSES[how](JSON.stringify(value));
}

function framingOf(how: Dress): Framing {
  return how.endsWith('line') || how === 'blank lines' ? 'line' : 'header';
}

/** What a value is after a trip through JSON. */
function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function check<T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>): void {
  fc.assert(property, { numRuns: RUNS });
}

/** Fast where it holds, readable where it does not. */
function expectSame(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
}

describe('random streams', () => {
  it(
    'of valid messages lose nothing, invent nothing and give no remark',
    () => {
      check(
        fc.property(fc.array(dressed, { maxLength: 8 }), cuts, end, (messages, at, options) => {
          const stream = bytesOf(...messages.map(([value, how]) => put(value, how)));
          const found = decodeChunks(chunked(stream, at), options);
          const expected = messages.map(([value, how]) => [framingOf(how), sent(value)]);
          for (const [index, [, how]] of messages.entries()) {
            if (how === 'header and CRLF' && expected[index]) expected[index][0] = 'header';
          }
          expectSame(outline(found), expected);
        }),
      );
    },
    TIMEOUT_MS,
  );

  /** Lines nobody could take for a message, a header of a body, or JSON. */
  const garbage = fc
    .tuple(
      fc.constantFrom(
        'x',
        '{ ',
        '[',
        '}',
        '] ',
        '# ',
        '{ "a": ',
        'INFO: ',
        '\u001b[1m',
        '\0',
        '[{',
        '"',
        '-',
        'C',
        'Content',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([start, rest, newline]) => `${start}${rest.replaceAll('\n', '')}${newline}`)
    .filter((line) => !/content-/i.test(line) && !isJson(line));

  it(
    'with garbage lines between lose no message and invent none',
    () => {
      const item = fc.oneof(
        dressed.map(([value, how]) => ({ value, bytes: put(value, how) })),
        garbage.map((line) => ({ value: undefined, bytes: bytesOf(line) })),
      );
      check(
        fc.property(fc.array(item, { maxLength: 10 }), cuts, end, (items, at, options) => {
          const stream = bytesOf(...items.map(({ bytes }) => bytes));
          const found = decodeChunks(chunked(stream, at), options);
          const expected = items.flatMap(({ value }) => (value === undefined ? [] : [sent(value)]));
          // Garbage such as `{` and `}` on two lines is JSON, as `{}` on one would be, and no message.
          const messages = valuesOf(found).filter((value) =>
            /"jsonrpc"/.test(JSON.stringify(value)),
          );
          expectSame(messages, expected);
        }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'with text glued to messages on lines lose none at the client end',
    () => {
      const stray = fc
        .string({ unit: 'binary', maxLength: 20 })
        .map((raw) => raw.replaceAll(/[\n{}[\]"]/g, ''))
        .filter((raw) => !/content-|:/i.test(raw));
      const line = fc.tuple(stray, fc.array(call, { minLength: 1, maxLength: 3 }), stray);
      check(
        fc.property(fc.array(line, { maxLength: 5 }), cuts, (lines, at) => {
          const stream = lines.map(
            ([before, calls, behind]) =>
              `${before}${calls.map((value) => JSON.stringify(value)).join('')}${behind}\n`,
          );
          const found = decodeChunks(chunked(bytesOf(...stream), at), { lenient: true });
          expectSame(
            valuesOf(found),
            lines.flatMap(([, calls]) => calls.map(sent)),
          );
        }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'cut off anywhere give the messages before the cut and nothing else',
    () => {
      const part = fc.double({ min: 0, max: 1, noNaN: true });
      check(
        fc.property(
          fc.array(dressed, { minLength: 1, maxLength: 5 }),
          part,
          cuts,
          end,
          (messages, share, at, options) => {
            const frames = messages.map(([value, how]) => put(value, how));
            const whole = bytesOf(...frames);
            const length = Math.floor(share * whole.length);
            const found = valuesOf(decodeChunks(chunked(whole.subarray(0, length), at), options));
            expectSame(
              found,
              messages.slice(0, found.length).map(([value]) => sent(value)),
            );
            let complete = 0;
            for (let used = 0; complete < frames.length; complete++) {
              used += frames[complete]?.length ?? 0;
              if (used > length) break;
            }
            // The last one may lack nothing but its newline.
            expect([complete, complete + 1]).toContain(found.length);
          },
        ),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'with lines cut off in the middle lose only those',
    () => {
      const line = fc.tuple(call, fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })));
      check(
        fc.property(fc.array(line, { maxLength: 8 }), cuts, end, (lines, at, options) => {
          const stream = lines.map(([value, share]) => {
            const json = JSON.stringify(value);
            return `${share === null ? json : json.slice(0, Math.floor(share * json.length))}\n`;
          });
          const found = decodeChunks(chunked(bytesOf(...stream), at), options);
          const whole = lines.filter(([, share]) => share === null).map(([value]) => sent(value));
          expectSame(valuesOf(found), whole);
        }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'with messages over the limit lose only those, and tell their size',
    () => {
      const limit = fc.integer({ min: 1, max: 200 });
      check(
        fc.property(
          fc.array(dressed, { maxLength: 8 }),
          limit,
          cuts,
          end,
          (all, maxMessageBytes, at, options) => {
            const messages = all.filter(
              ([, how]) => how !== 'BOM line' && how !== 'blank lines' && how !== 'BOM body',
            );
            const stream = bytesOf(...messages.map(([value, how]) => put(value, how)));
            const found = decodeChunks(chunked(stream, at), { ...options, maxMessageBytes });
            const expected = messages.map(([value, how]) => {
              const framing = framingOf(how);
              const size = Buffer.byteLength(JSON.stringify(value));
              return size > maxMessageBytes ? ['oversize', framing, size] : [framing, sent(value)];
            });
            expectSame(outline(found), expected);
          },
        ),
      );
    },
    TIMEOUT_MS,
  );
});

describe('random bytes', () => {
  const token = fc.oneof(
    dressed.map(([value, how]) => put(value, how)),
    dressed.map(([value, how]) => put(value, how).subarray(0, 30)),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        ...[
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '\\',
          '\n',
          '\r',
          '\r\n',
          '\r\n\r\n',
          '\n\n',
          ' ',
          '\0',
        ],
        ...[
          '\uFEFF',
          '\uFFFD',
          'Content-Length: ',
          'content-length:',
          'Content-Type: x; charset=',
          'utf-16',
        ],
        ...[
          'X-Y: z',
          'x',
          '5',
          '12',
          '40',
          '100',
          '-1',
          '{}',
          '[]',
          'null',
          '{"jsonrpc":"2.0"',
          '"jsonrpc"',
        ],
        ...[
          '{"jsonrpc":"2.0","id":1}',
          '{\n',
          '"a": 1,\n',
          '}\n',
          '\u001b[0m',
          'Content-Length: 7\r\n\r\n',
        ],
      )
      .map((string) => bytesOf(string)),
    fc.constantFrom(0xff, 0xc3, 0xe2, 0xf0, 0x80).map((byte) => Buffer.from([byte])),
  );
  const soup = fc.array(token, { maxLength: 25 }).map((tokens) => Buffer.concat(tokens));
  const maxMessageBytes = fc.constantFrom(1, 8, 40, 100, 1 << 20);

  it(
    'never throw, and give the same however they are cut',
    () => {
      check(
        fc.property(soup, cuts, end, maxMessageBytes, (bytes, at, options, limit) => {
          const settings = { ...options, maxMessageBytes: limit };
          const whole = decodeChunks([bytes], settings);
          expectSame(decodeChunks(chunked(bytes, at), settings), whole);
          expectSame(
            decodeChunks(
              chunked(
                bytes,
                at.map((_, i) => i / 12),
              ),
              settings,
            ),
            whole,
          );
        }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'give no message whose text was not in them',
    () => {
      check(
        fc.property(soup, cuts, maxMessageBytes, (bytes, at, limit) => {
          const found = decodeChunks(chunked(bytes, at), { maxMessageBytes: limit });
          const all = bytes.toString();
          for (const item of found) {
            if (!isIntact(item)) continue;
            expect(all.includes(item.text)).toBe(true);
            expect(Buffer.byteLength(item.text)).toBeLessThanOrEqual(limit + 1);
            expect(item.value).toEqual(JSON.parse(item.text));
          }
        }),
      );
    },
    TIMEOUT_MS,
  );
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A message whose bytes were UTF-8, so that its text can be looked up. */
function isIntact(item: Decoded): item is Extract<Decoded, { kind: 'message' }> {
  return item.kind === 'message' && !item.text.includes('\uFFFD');
}
