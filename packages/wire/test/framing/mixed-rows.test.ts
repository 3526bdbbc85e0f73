import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../src/errors.ts';
import { FrameDecoder } from '../../src/framing/frame-decoder.ts';
import type { Framing } from '../../src/framing/framing.ts';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { bytesOf, CLIENT, decode, headed, outline, SERVER } from './decode.ts';

const A = { jsonrpc: '2.0', id: 1, method: 'a' };
const B = { jsonrpc: '2.0', id: 2, method: 'b' };
const a = JSON.stringify(A);
const b = JSON.stringify(B);

describe.each([
  ['server', SERVER],
  ['client', CLIENT],
] as const)('detection at the %s end', (_end, options) => {
  it.each([
    ['{', a, A],
    ['[', `[${a}]`, [A]],
  ])('row 61: takes a first byte `%s` for a line', (_byte, text, value) => {
    expect(outline(decode(`${text}\n`, options))).toEqual([['line', value]]);
  });

  it.each([
    ['as it is', ''],
    ['after a BOM', '\uFEFF'],
    ['after blanks', '  \t'],
    ['after empty lines', '\r\n\n \n'],
    ['after a BOM and blanks', '\uFEFF \n'],
  ])('row 62: takes `Content-` in any case for a header, %s', (_name, before) => {
    for (const name of ['Content-Length', 'content-length', 'CONTENT-LENGTH', 'cOnTeNt-LeNgTh']) {
      expect(outline(decode(bytesOf(before, headed(a, name)), options))).toEqual([['header', A]]);
    }
  });

  it('row 62: waits for more after `C` alone', () => {
    const decoder = new FrameDecoder(options);
    const bytes = headed(a);
    expect(decoder.push(bytes.subarray(0, 1))).toEqual([]);
    expect(decoder.isInsideMessage).toBe(true);
    expect(outline(decoder.push(bytes.subarray(1)))).toEqual([['header', A]]);
  });

  it('row 63: goes on detecting after stray text', () => {
    const stray = 'Content of the box\nContent-Length of it: large\n';
    const junk = [
      ['junk', 'not-json', 'Content of the box'],
      ['junk', 'not-json', 'Content-Length of it: large'],
    ];
    expect(outline(decode(`${stray}${a}\n`, options))).toEqual([...junk, ['line', A]]);
    expect(outline(decode(bytesOf(stray, headed(a)), options))).toEqual([...junk, ['header', A]]);
  });

  it('row 63: log lines that look like headers cost no message', () => {
    const stray = 'INFO: ready\r\nwarn: slow\r\n';
    expect(outline(decode(`${stray}${a}\n`, options))).toEqual([
      ['junk', 'bad-header', 'INFO: ready\nwarn: slow'],
      ['line', A],
    ]);
    expect(outline(decode(`INFO: ready\r\nhello there\r\n${a}\n`, options))).toEqual([
      ['junk', 'bad-header', 'INFO: ready'],
      ['junk', 'not-json', 'hello there'],
      ['line', A],
    ]);
  });

  it('row 64: understands a peer that switches framing with each message', () => {
    const stream = bytesOf(a, '\n', headed(b), a, '\r\n', headed(b), headed(a), '\n', b, '\n');
    expect(outline(decode(stream, options))).toEqual([
      ['line', A],
      ['header', B],
      ['line', A],
      ['header', B],
      ['header', A],
      ['line', B],
    ]);
  });

  it('row 64: needs no newline between a line and a header', () => {
    expect(outline(decode(bytesOf(a, headed(b), a, headed(b)), options))).toEqual([
      ['line', A],
      ['header', B],
      ['line', A],
      ['header', B],
    ]);
  });

  it('row 66: keeps a header inside a string of a line where it is', () => {
    const value = { method: 'x', params: { text: '\n\nContent-Length: 5\r\n\r\n' } };
    expect(outline(decode(`${JSON.stringify(value)}\n${a}\n`, options))).toEqual([
      ['line', value],
      ['line', A],
    ]);
    expect(outline(decode(headed(JSON.stringify(value)), options))).toEqual([['header', value]]);
  });
});

describe('the framing of the answers', () => {
  interface End {
    readonly peer: Peer;
    readonly input: PassThrough;
    readonly written: () => Promise<string>;
  }

  function open(role: 'server' | 'client'): End {
    const input = new PassThrough();
    const output = new PassThrough();
    const methods = { find: (name: string) => (name === 'welcome' ? undefined : () => 'ok') };
    const peer = new Peer({ input, output, role, methods });
    const written = async (): Promise<string> => {
      await peer.flushed(1000);
      return String(output.read(output.readableLength) ?? '');
    };
    return { peer, input, written };
  }

  async function ask(end: End, bytes: Buffer): Promise<string> {
    end.input.write(bytes);
    for (let turn = 0; turn < 100; turn++) {
      const text = await end.written();
      if (text !== '') return text;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error('no answer');
  }

  function frame(text: string, framing: Framing): Buffer {
    return framing === 'line' ? bytesOf(text, '\n') : headed(text);
  }

  it.each([
    ['line', 'header'],
    ['header', 'line'],
  ] as const)(
    'row 64: stays with the first message, %s, when the other end switches',
    async (first, then) => {
      const end = open('server');
      const answer = (id: number): string =>
        frame(`{"jsonrpc":"2.0","id":${id},"result":"ok"}`, first).toString();
      expect(await ask(end, frame(a, first))).toBe(answer(1));
      expect(await ask(end, frame(b, then))).toBe(answer(2));
      end.peer.stop(new WireError('SHUTDOWN', 'end of test'));
    },
  );

  it('row 65: a client sends lines, then headers when the first thing it gets is a header', async () => {
    const end = open('client');
    await end.peer.notify('hello');
    expect(await end.written()).toBe('{"jsonrpc":"2.0","method":"hello"}\n');
    const welcomed = new Promise((resolve) => end.peer.once('notification', resolve));
    end.input.write(headed('{"jsonrpc":"2.0","method":"welcome"}'));
    await welcomed;
    await end.peer.notify('again');
    expect(await end.written()).toBe(headed('{"jsonrpc":"2.0","method":"again"}').toString());
    end.peer.stop(new WireError('SHUTDOWN', 'end of test'));
  });
});
