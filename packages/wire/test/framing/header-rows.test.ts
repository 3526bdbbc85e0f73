import { describe, expect, it } from 'vitest';
import { FrameDecoder } from '../../src/framing/frame-decoder.ts';
import {
  bytesOf,
  CLIENT,
  cutAt,
  decode,
  decodeChunks,
  headed,
  outline,
  SERVER,
  valuesOf,
} from './decode.ts';

const A = { jsonrpc: '2.0', id: 1, method: 'größe' };
const B = { jsonrpc: '2.0', id: 2, result: '€🦜' };
const a = JSON.stringify(A);
const b = JSON.stringify(B);
const size = Buffer.byteLength(a);

describe.each([
  ['server', SERVER],
  ['client', CLIENT],
] as const)('a length that no message has, %s end', (_end, options) => {
  const next = '{"jsonrpc":"2.0","id":2,"method":"b"}';

  it.each(['999999999999999', '1073741825'])(
    '%s does not swallow the messages behind it',
    (length) => {
      const head = `Content-Length: ${length}\r\n\r\n`;
      const found = decode(bytesOf(head, `${next}\n`, headed(next), `${next}\n`), options);
      expect(outline(found)).toEqual([
        ['junk', 'bad-header', `Content-Length: ${length}`],
        ['line', JSON.parse(next)],
        ['header', JSON.parse(next)],
        ['line', JSON.parse(next)],
      ]);
    },
  );
});

describe.each([
  ['server', SERVER],
  ['client', CLIENT],
] as const)('Content-Length framing at the %s end', (_end, options) => {
  it.each([
    'Content-Length: <n>',
    'content-length: <n>',
    'CONTENT-LENGTH: <n>',
    'Content-Length:<n>',
    'Content-Length:    <n>   ',
    'Content-Length\t:\t<n>\t',
    'Content-Length: 000<n>',
  ])('row 49: accepts `%s`', (line) => {
    const header = line.replace('<n>', String(size));
    expect(outline(decode(bytesOf(`${header}\r\n\r\n${a}`, headed(b)), options))).toEqual([
      ['header', A],
      ['header', B],
    ]);
  });

  it.each([
    [
      'before',
      ['Content-Type: application/vscode-jsonrpc; charset=utf-8', `Content-Length: ${size}`],
    ],
    [
      'after',
      [`Content-Length: ${size}`, 'Content-Type: application/vscode-jsonrpc; charset=utf8'],
    ],
    ['without charset', [`Content-Length: ${size}`, 'Content-Type: application/json']],
    ['quoted, upper case', [`Content-Length: ${size}`, 'content-type: x; CHARSET="UTF-8"']],
  ])('row 50: accepts a content type (%s)', (_name, lines) => {
    const found = decode(bytesOf(`${lines.join('\r\n')}\r\n\r\n${a}`, headed(b)), options);
    expect(outline(found)).toEqual([
      ['header', A],
      ['header', B],
    ]);
  });

  it.each([
    ['before', ['Content-Type: x; charset=utf-16', `Content-Length: ${size}`]],
    ['after', [`Content-Length: ${size}`, 'Content-Type: x; charset=latin1']],
  ])('row 50: refuses an unknown charset (%s the length) and skips the body', (_name, lines) => {
    const found = decode(bytesOf(`${lines.join('\r\n')}\r\n\r\n${a}`, headed(b)), options);
    expect(outline(found)).toEqual([
      ['junk', 'charset', a],
      ['header', B],
    ]);
    expect(found[0]).toMatchObject({ framing: 'header' });
  });

  it('row 51: ignores unknown headers', () => {
    const head = `X-Trace: 7\r\nContent-Length: ${size}\r\nDate: today\r\n\r\n`;
    expect(outline(decode(head + a, options))).toEqual([['header', A]]);
  });

  it.each([
    ['folded', ' more of it'],
    ['without a colon', 'no colon here'],
    ['with an empty name', ': value'],
  ])(
    'row 51: ignores a header line %s, with a warning, where a length is present',
    (_name, line) => {
      const head = `Content-Length: ${size}\r\n${line}\r\n\r\n`;
      expect(outline(decode(head + a, options))).toEqual([
        ['warning', 'header-line', line],
        ['header', A],
      ]);
    },
  );

  it.each([
    ['\n\n', '\n', '\n'],
    ['\\n\\r\\n', '\n', '\r\n'],
    ['\\r\\n\\n', '\r\n', '\n'],
  ])('row 52: accepts a header that ends in %s', (_name, first, second) => {
    const found = decode(
      bytesOf(`Content-Length: ${size}${first}${second}${a}`, headed(b)),
      options,
    );
    expect(valuesOf(found)).toEqual([A, B]);
  });

  it('row 53: gives the same with header and body split at every byte', () => {
    const bytes = bytesOf(headed(a), headed(b));
    const whole = decodeChunks([bytes], options);
    expect(valuesOf(whole)).toEqual([A, B]);
    for (let at = 0; at <= bytes.length; at++) {
      expect(decodeChunks(cutAt(bytes, [at]), options), `split at ${at}`).toEqual(whole);
    }
  });

  it('row 54: resynchronises behind a length that counts characters', () => {
    const short = `Content-Length: ${a.length}\r\n\r\n${a}`;
    const found = decode(bytesOf(short, headed(b), short, headed(b)), options);
    expect(valuesOf(found)).toEqual([B, B]);
    expect(found[0]).toMatchObject({ kind: 'junk', reason: 'bad-body', framing: 'header' });
  });

  it('row 54: resynchronises at a line behind a short length', () => {
    const found = decode(`Content-Length: ${size - 3}\r\n\r\n${a}\n${b}\n`, options);
    expect(valuesOf(found)).toEqual([B]);
  });

  it('row 54: saves both messages where a length reaches into the next one', () => {
    const long = bytesOf(`Content-Length: ${size + 30}\r\n\r\n${a}`);
    const found = decode(bytesOf(long, headed(b), headed(a)), options);
    expect(outline(found)).toEqual([
      ['header', A],
      ['warning', 'bad-length', a],
      ['header', B],
      ['header', A],
    ]);
  });

  it('row 54: saves what follows a body that is no JSON', () => {
    const found = decode(bytesOf(headed('hello'), headed(a)), options);
    expect(outline(found)).toEqual([
      ['junk', 'bad-body', 'hello'],
      ['header', A],
    ]);
  });

  it('row 54: searches the same bytes a bounded number of times, however bodies are nested', () => {
    let nest = '';
    for (let depth = 0; depth < 5000; depth++) {
      nest = `x${headed('{}')}Content-Length: ${nest.length}\r\n\r\n${nest}`;
    }
    expect(() => decode(bytesOf(headed(nest), headed(a)), options)).not.toThrow();
    expect(valuesOf(decode(bytesOf(headed(nest), headed(a)), options)).at(-1)).toEqual(A);
  });

  it('row 55: keeps waiting for a body shorter than announced, and says so', () => {
    const decoder = new FrameDecoder(options);
    expect(decoder.isInsideMessage).toBe(false);
    expect(decoder.push(bytesOf('Content-Len'))).toEqual([]);
    expect(decoder.isInsideMessage).toBe(true);
    expect(decoder.push(bytesOf('gth: 500\r\n'))).toEqual([]);
    expect(decoder.isInsideMessage).toBe(true);
    expect(decoder.partialHead).toBe('Content-Length: 500');
    expect(decoder.push(bytesOf('\r\n'))).toEqual([]);
    expect(decoder.isInsideMessage).toBe(true);
    expect(decoder.push(bytesOf(a))).toEqual([]);
    expect(decoder.partialHead).toBe(a);
    expect(outline(decoder.end())).toEqual([
      ['header', A],
      ['warning', 'bad-length', a],
    ]);
    expect(decoder.isInsideMessage).toBe(false);
  });

  it('row 55: saves the messages that a length too long has swallowed at the end', () => {
    const found = decode(bytesOf(`Content-Length: 900\r\n\r\n${a}`, headed(b), headed(a)), options);
    expect(valuesOf(found)).toEqual([A, B, A]);
  });

  it('row 55: reports an incomplete body, or header, at the end', () => {
    expect(outline(decode(`Content-Length: 500\r\n\r\n${a.slice(0, 9)}`, options))).toEqual([
      ['junk', 'truncated', a.slice(0, 9)],
    ]);
    expect(decode('Content-Length: 500\r\n\r\n', options)).toMatchObject([
      { kind: 'junk', reason: 'truncated', framing: 'header' },
    ]);
    expect(decode('Content-Length: 500\r\nX: y', options)).toEqual([
      {
        kind: 'junk',
        reason: 'truncated',
        text: 'Content-Length: 500\nX: y',
        framing: 'header',
      },
    ]);
    expect(decode('Content-Length: 500', options)).toMatchObject([{ reason: 'truncated' }]);
  });

  it('row 56: reports an empty body and goes on', () => {
    const found = decode(bytesOf('Content-Length: 0\r\n\r\n', headed(a)), options);
    expect(outline(found)).toEqual([
      ['junk', 'empty-body', ''],
      ['header', A],
    ]);
  });

  it.each([
    ['-5'],
    ['12abc'],
    ['1e3'],
    ['0x10'],
    ['+5'],
    ['1.5'],
    [''],
    ['99999999999999999999'],
    [`${size}\r\nContent-Length: ${size + 1}`],
  ])('row 57: refuses the length `%s` and resynchronises', (length) => {
    const bad = `Content-Length: ${length}\r\n\r\n`;
    const text = bad.trim().replaceAll('\r\n', '\n');
    const found = decode(bytesOf(bad, a, headed(b), bad, headed(a), bad, b, '\n'), options);
    expect(valuesOf(found)).toEqual([A, B, A, B]);
    expect(found[0]).toMatchObject({ kind: 'junk', reason: 'bad-header', framing: 'header' });
    expect(found[0]).toHaveProperty('text', expect.stringContaining(text.slice(0, 15)));
  });

  it.each([
    ['many lines', 'X-Filler: 0123456789\r\n'.repeat(500)],
    ['one long line', `X-Filler: ${'y'.repeat(9000)}\r\n`],
    ['one line without a colon', `${'z'.repeat(9000)}\r\n`],
  ])('row 58: refuses a header over 8 KiB (%s) and resynchronises', (_name, filler) => {
    const found = decode(bytesOf('Content-Length: 5\r\n', filler, '\r\n', headed(a)), options);
    expect(valuesOf(found)).toEqual([A]);
    expect(found[0]).toMatchObject({ kind: 'junk', reason: 'bad-header' });
  });

  it('row 58: an endless header line is refused while it is still coming', () => {
    const decoder = new FrameDecoder(options);
    decoder.push(bytesOf('Content-Length: 5\r\n'));
    const found = Array.from({ length: 10 }, () => decoder.push(Buffer.alloc(1024, 'y'))).flat();
    expect(found).toMatchObject([{ kind: 'junk', reason: 'bad-header' }]);
  });

  it('row 58: a message that takes the place of the rest of a header is saved', () => {
    const found = decode(bytesOf('Content-Length: 5\r\n', a, '\n', headed(b)), options);
    expect(outline(found)).toEqual([
      ['junk', 'bad-header', 'Content-Length: 5'],
      ['line', A],
      ['header', B],
    ]);
  });

  it.each([
    ['blanks', '  \t'],
    ['a BOM', '\uFEFF'],
  ])('row 58: a message behind %s is not taken for a folded header', (_name, blanks) => {
    for (const header of ['INFO: ready', 'Content-Length: 5']) {
      expect(outline(decode(`${header}\r\n${blanks}${a}\n`, options))).toEqual([
        ['junk', 'bad-header', header],
        ['line', A],
      ]);
    }
  });

  it.each(['\n', '\r\n', '\n\n', ' \r\n'])('row 59: tolerates %j behind the body', (tail) => {
    expect(outline(decode(bytesOf(headed(a), tail, headed(b), tail), options))).toEqual([
      ['header', A],
      ['header', B],
    ]);
  });

  it('row 60: delivers with the last byte of the body, in the same call', () => {
    const decoder = new FrameDecoder(options);
    expect(decoder.push(bytesOf(`Content-Length: ${size}\r\n\r\n`))).toEqual([]);
    expect(valuesOf(decoder.push(bytesOf(a)))).toEqual([A]);
    expect(valuesOf(decoder.push(headed(b)))).toEqual([B]);
  });
});
