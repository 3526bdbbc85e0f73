import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  CLIENT,
  cutEvery,
  decode,
  decodeChunks,
  outline,
  SERVER,
  valuesOf,
} from './decode.ts';

const A = { jsonrpc: '2.0', id: 1, method: 'a' };
const B = { jsonrpc: '2.0', id: 2, result: { text: '}{][' } };
const a = JSON.stringify(A);
const b = JSON.stringify(B);

const ENDS = [
  ['server', SERVER],
  ['client', CLIENT],
] as const;

describe('row 35: chunks of any size', () => {
  it('row 35: gives the same in chunks of 1 byte and of 4 KiB', () => {
    const long = JSON.stringify({ ...A, params: ['x'.repeat(20_000)] });
    const bytes = bytesOf(`${a}\n${long}\n${b}\n`);
    const whole = decodeChunks([bytes]);
    expect(valuesOf(whole)).toEqual([A, JSON.parse(long), B]);
    expect(decodeChunks(cutEvery(bytes, 1))).toEqual(whole);
    expect(decodeChunks(cutEvery(bytes, 4096))).toEqual(whole);
  });

  it('row 35: finds 100,000 messages in one chunk, in order', () => {
    const count = 100_000;
    const lines = Array.from({ length: count }, (_, id) => `{"jsonrpc":"2.0","id":${id}}\n`);
    const found = decode(lines.join(''));
    expect(found).toHaveLength(count);
    const isInOrder = found.every(
      (item, id) => item.kind === 'message' && (item.value as { id: number }).id === id,
    );
    expect(isInOrder).toBe(true);
  });
});

describe.each(ENDS)('newline framing at the %s end', (end, options) => {
  it('row 36: takes CRLF, escaped CR in strings, and a lone CR as white space', () => {
    expect(valuesOf(decode(`${a}\r\n${b}\r\n`, options))).toEqual([A, B]);
    expect(outline(decode('{"jsonrpc":"2.0","method":"\\r\\n"}\n', options))).toEqual([
      ['line', { jsonrpc: '2.0', method: '\r\n' }],
    ]);
    expect(outline(decode(`\r${a}\n\r\r\n`, options))).toEqual([['line', A]]);
    expect(valuesOf(decode(`${a}\r${b}\n`, options))).toEqual([A, B]);
  });

  it.each([
    ['empty lines', '\n\n\r\n'],
    ['blanks', '   \n \r\n'],
    ['tabs', '\t\t\n'],
    ['form feeds and vertical tabs', '\f\n\v\n'],
    ['no-break and wide blanks', '\u00a0\u3000\n'],
  ])('row 37: skips %s without a word', (_name, blank) => {
    expect(outline(decode(`${blank}${a}\n${blank}${b}\n${blank}`, options))).toEqual([
      ['line', A],
      ['line', B],
    ]);
  });

  it('row 38: drops a BOM at the start of the stream and of any message', () => {
    expect(outline(decode(`\uFEFF${a}\n\uFEFF${b}\n\uFEFF\n`, options))).toEqual([
      ['line', A],
      ['line', B],
    ]);
  });

  it('row 39: skips NUL bytes between messages with one warning', () => {
    expect(outline(decode(`${a}\n\0\0\0\0${b}\n`, options))).toEqual([
      ['line', A],
      ['warning', 'nul-bytes', `\0\0\0\0${b}`],
      ['line', B],
    ]);
  });

  it.each([
    ['little endian', Buffer.from(a, 'utf16le')],
    ['little endian with a byte order mark', Buffer.from(`\uFEFF${a}`, 'utf16le')],
    ['big endian', Buffer.from(a, 'utf16le').swap16()],
    ['big endian with a byte order mark', Buffer.from(`\uFEFF${a}`, 'utf16le').swap16()],
  ])('row 39: names UTF-16 (%s) and goes on', (_name, bytes) => {
    const found = decode(bytesOf(bytes, `\n${b}\n`), options);
    const junk = found.filter(({ kind }) => kind === 'junk');
    expect(junk).toMatchObject([{ reason: 'utf16', framing: 'line' }]);
    expect(valuesOf(found)).toEqual([B]);
  });

  it('row 40: reports text lines before, between and after messages as junk', () => {
    const found = decode(`Server 1.0 ready\n${a}\nwarning\r\n${b}\nbye\n`, options);
    expect(outline(found)).toEqual([
      ['junk', 'not-json', 'Server 1.0 ready'],
      ['line', A],
      ['junk', 'not-json', 'warning'],
      ['line', B],
      ['junk', 'not-json', 'bye'],
    ]);
  });

  it('row 43: delivers two messages on one line and says so', () => {
    expect(outline(decode(`${a}${b}\n`, options))).toEqual([
      ['warning', 'glued', `${a}${b}`],
      ['line', A],
      ['line', B],
    ]);
  });

  it('row 43: delivers all of very many messages on one line', () => {
    expect(valuesOf(decode(`${a.repeat(1000)}\n`, options))).toHaveLength(1000);
  });

  it('row 45: takes a complete last message without a newline', () => {
    expect(outline(decode(`${a}\n${b}`, options))).toEqual([
      ['line', A],
      ['line', B],
    ]);
    expect(valuesOf(decode(`${a}\n${b}\r`, options))).toEqual([A, B]);
    expect(valuesOf(decode(`${a}\n${a}${b}`, options))).toEqual([A, A, B]);
    expect(valuesOf(decode('42', options))).toEqual([42]);
  });

  it('row 45: reports an incomplete last message with its text', () => {
    const tail = b.slice(0, -3);
    expect(outline(decode(`${a}\n${tail}`, options))).toEqual([
      ['line', A],
      ['junk', 'truncated', tail],
    ]);
    expect(outline(decode(`${a}\n  \0`, options)).slice(1)).not.toContainEqual(
      expect.arrayContaining(['junk']),
    );
  });

  it.each([
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['DEL', '\u007f'],
    ['U+0085', '\u0085'],
  ])('row 46: keeps a raw %s inside a string', (_name, char) => {
    const value = { jsonrpc: '2.0', id: 1, result: `x${char}y` };
    expect(outline(decode(`{"jsonrpc":"2.0","id":1,"result":"x${char}y"}\n`, options))).toEqual([
      ['line', value],
    ]);
  });

  it.each([
    ['42', 42],
    ['"x"', 'x'],
    ['null', null],
    ['{"level":"info"}', { level: 'info' }],
  ])('row 48: hands over a line of JSON that is no call, `%s`, as it is', (text, value) => {
    // Whether it is stray or an invalid request depends on the role, which the layer above knows.
    expect(outline(decode(`${text}\n${a}\n`, options)), end).toEqual([
      ['line', value],
      ['line', A],
    ]);
  });
});

describe('stray text around a message', () => {
  it('row 41: finds a message glued behind stray text', () => {
    expect(outline(decode(`Loading... ${a}\n${b}\n`, CLIENT))).toEqual([
      ['warning', 'glued', `Loading... ${a}`],
      ['warning', 'stray', 'Loading...'],
      ['line', A],
      ['line', B],
    ]);
  });

  it.each([
    ['brackets', '[info] {starting} '],
    ['quotes', 'say "hi '],
    ['an open brace', 'config { '],
    ['JSON of a logger', '{"level":"info"} '],
    ['many brackets', `${'[=]'.repeat(200)} `],
  ])('row 41: finds it behind %s', (_name, stray) => {
    const found = decode(`${stray}${b}\n`, CLIENT);
    expect(valuesOf(found)).toEqual([B]);
    expect(found).toContainEqual({ kind: 'warning', reason: 'stray', text: stray.trim() });
  });

  it('row 41: finds it at the end of the stream too', () => {
    expect(valuesOf(decode(`Loading... ${a}`, CLIENT))).toEqual([A]);
  });

  it('row 41: invents no message from the JSON of a logger that quotes one', () => {
    const line = `12:00 {"level":"debug","sent":${a}}`;
    expect(outline(decode(`${line}\n`, CLIENT))).toEqual([['junk', 'not-json', line]]);
  });

  it('row 41: is junk to a server, which answers it', () => {
    const line = `Loading... ${a}`;
    expect(outline(decode(`${line}\n${b}\n`, SERVER))).toEqual([
      ['junk', 'not-json', line],
      ['line', B],
    ]);
  });

  it('row 42: finds a message with text behind it', () => {
    expect(outline(decode(`${a} done\n${b}\n`, CLIENT))).toEqual([
      ['warning', 'glued', `${a} done`],
      ['line', A],
      ['warning', 'stray', 'done'],
      ['line', B],
    ]);
  });

  it('row 42: is junk to a server', () => {
    expect(outline(decode(`${a} done\n${b}\n`, SERVER))).toEqual([
      ['junk', 'not-json', `${a} done`],
      ['line', B],
    ]);
  });

  it('row 47: strips colour codes with the stray text', () => {
    const found = decode(`\u001b[32m${a}\u001b[0m\n`, CLIENT);
    expect(outline(found).slice(1)).toEqual([
      ['warning', 'stray', '\u001b[32m'],
      ['line', A],
      ['warning', 'stray', '\u001b[0m'],
    ]);
  });
});

describe('pretty-printed messages', () => {
  const pretty = JSON.stringify(B, null, 2);

  it.each([
    ['LF', pretty],
    ['CRLF', pretty.replaceAll('\n', '\r\n')],
    ['tabs', JSON.stringify(B, null, '\t')],
    ['blank lines', pretty.replaceAll('\n', '\n\n')],
  ])('row 44: joins one over many lines (%s)', (_name, text) => {
    expect(outline(decode(`${a}\n${text}\n${a}\n`, CLIENT))).toEqual([
      ['line', A],
      ['line', B],
      ['line', A],
    ]);
  });

  it('row 44: joins one whose last line has no newline', () => {
    expect(outline(decode(pretty, CLIENT))).toEqual([['line', B]]);
  });

  it('row 44: is junk, line by line, to a server', () => {
    const found = decode(`${pretty}\n${a}\n`, SERVER);
    expect(valuesOf(found)).toEqual([A]);
    expect(found.filter(({ kind }) => kind === 'junk')).toHaveLength(pretty.split('\n').length);
  });

  it.each([
    ['a whole message', a],
    ['a message behind text', `Loading... ${a}`],
    ['a message with text behind it', `${a} done`],
  ])('row 44: lets %s interrupt lines that never close', (_name, line) => {
    const found = decode(`{ starting up\nstill starting\n${line}\n${b}\n`, CLIENT);
    expect(found[0]).toMatchObject({ kind: 'junk', text: '{ starting up\nstill starting' });
    expect(valuesOf(found)).toEqual([A, B]);
  });

  it('row 44: lets a header interrupt lines that never close', () => {
    const header = `Content-Length: ${a.length}\r\n\r\n${a}`;
    expect(outline(decode(`{ starting up\n${header}`, CLIENT))).toEqual([
      ['junk', 'not-json', '{ starting up'],
      ['header', A],
    ]);
    expect(outline(decode(`{ starting up\n}${header}`, CLIENT))).toEqual([
      ['junk', 'not-json', '{ starting up'],
      ['junk', 'not-json', '}'],
      ['header', A],
    ]);
  });

  it('row 44: gives up where the lines pass the limit', () => {
    const options = { lenient: true, maxMessageBytes: 100 };
    const filler = '"x": "0123456789",\n'.repeat(20);
    const found = decode(`{\n${filler}${a}\n`, options);
    expect(valuesOf(found)).toEqual([A]);
    expect(found[0]).toMatchObject({ kind: 'junk', reason: 'not-json' });
  });

  it('row 44: reports lines that close and are no JSON', () => {
    expect(outline(decode(`{\n  name: 'x'\n}\n${a}\n`, CLIENT))).toEqual([
      ['junk', 'not-json', "{\nname: 'x'\n}"],
      ['line', A],
    ]);
  });

  it('row 44: counts them as an unfinished message, for the clock of the layer above', async () => {
    const { FrameDecoder } = await import('../../src/framing/frame-decoder.ts');
    const decoder = new FrameDecoder(CLIENT);
    decoder.push(bytesOf('{\n"id": 1,\n'));
    expect(decoder.isInsideMessage).toBe(true);
    expect(decoder.partialHead).toBe('{\n"id": 1,');
    decoder.push(bytesOf('"jsonrpc": "2.0"}\n'));
    expect(decoder.isInsideMessage).toBe(false);
  });
});
