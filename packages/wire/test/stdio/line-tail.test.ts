import { describe, expect, it } from 'vitest';
import { LineTail } from '../../src/stdio/line-tail.ts';

function collect(
  chunks: readonly (string | Buffer)[],
  maxChars = 100,
): { lines: string[]; tail: string } {
  const lines: string[] = [];
  const tail = new LineTail(maxChars, (line) => lines.push(line));
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  tail.end();
  return { lines, tail: tail.text };
}

describe('LineTail', () => {
  it.each<[string, string[], string[]]>([
    ['whole lines', ['a\nb\n'], ['a', 'b']],
    ['a line in pieces', ['a', 'b', 'c\n'], ['abc']],
    ['a last line without an end', ['a\nb'], ['a', 'b']],
    ['CRLF', ['a\r\nb\r\n'], ['a', 'b']],
    ['CRLF split between its two bytes', ['a\r', '\nb'], ['a', 'b']],
    ['blank lines', ['\n\na\n'], ['', '', 'a']],
    ['nothing', [], []],
  ])('reports %s', (_, chunks, lines) => {
    expect(collect(chunks).lines).toEqual(lines);
  });

  it('joins a character that was split between chunks, at every offset', () => {
    const bytes = Buffer.from('é€😀\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(collect([bytes.subarray(0, cut), bytes.subarray(cut)]).lines).toEqual(['é€😀']);
    }
  });

  it('keeps the last characters and no more', () => {
    expect(collect(['abcdef', 'ghi'], 4).tail).toBe('fghi');
  });

  it.each<[string, (text: string) => Buffer[]]>([
    ['in one chunk with its end', (text) => [Buffer.from(`${text}\n`)]],
    ['in one chunk before its end', (text) => [Buffer.from(text), Buffer.from('\n')]],
    [
      'in many chunks',
      (text) => [...(text.match(/.{1,100}/g) ?? [])].map((part) => Buffer.from(part)),
    ],
  ])('reports a very long line in bounded pieces: %s', (_, split) => {
    const text = 'x'.repeat(30_000);
    const { lines } = collect(split(text));
    expect(lines.join('')).toBe(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8192);
  });

  it('does not report the last line twice', () => {
    const lines: string[] = [];
    const tail = new LineTail(10, (line) => lines.push(line));
    tail.push(Buffer.from('end'));
    tail.end();
    tail.end();
    expect(lines).toEqual(['end']);
  });

  it('shows an unfinished character at the end as a replacement rather than losing it silently', () => {
    expect(collect([Buffer.from([0x61, 0xe2, 0x82])]).lines).toEqual(['a\uFFFD']);
  });
});
