import { describe, expect, it } from 'vitest';
import { recoverLine } from '../../src/framing/recover-line.ts';

const A = { jsonrpc: '2.0', id: 1, method: 'a', params: { text: '}{ \\" [' } };
const B = { jsonrpc: '2.0', id: 2, result: [] };
const a = JSON.stringify(A);
const b = JSON.stringify(B);
const batch = `[${a},${b}]`;

const asA = { value: A, text: a };
const asB = { value: B, text: b };

/** Characters that taking a line apart looks at. */
function charactersRead(line: string): number {
  const { charCodeAt } = String.prototype;
  let count = 0;
  String.prototype.charCodeAt = function (this: string, at: number): number {
    count++;
    return charCodeAt.call(this, at);
  };
  try {
    recoverLine(line, true);
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
  return count;
}

describe('the cost of a line that cannot be taken apart', () => {
  it.each([
    ['strings that never close', '{"'],
    ['objects that never close', 'x {"jsonrpc":"2.0"'],
    ['arrays that never close', '[{'],
    ['openings in openings', '{"a":'],
  ])('stays a few times its length: %s', (_name, part) => {
    const line = part.repeat(Math.ceil(1_500_000 / part.length));
    expect(charactersRead(line)).toBeLessThan(6 * line.length);
  });

  it('leaves room for a message behind text that looks like many', () => {
    const message = '{"jsonrpc":"2.0","id":1,"result":1}';
    const pieces = recoverLine(`${'{"level":"info"} '.repeat(60)}${message}`, true);
    expect(pieces?.at(-1)).toMatchObject({ text: message });
  });
});

describe('recoverLine', () => {
  it.each([
    ['two messages', `${a}${b}`, [asA, asB]],
    ['blanks between', ` ${a} \t ${b}\r`, [asA, asB]],
    ['a batch and a message', `${batch}${a}`, [{ value: [A, B], text: batch }, asA]],
  ])('takes %s apart at both ends', (_name, line, pieces) => {
    expect(recoverLine(line, false)).toEqual(pieces);
    expect(recoverLine(line, true)).toEqual(pieces);
  });

  it.each([
    ['before', `text ${a}`, [{ stray: 'text' }, asA]],
    ['behind', `${a} text`, [asA, { stray: 'text' }]],
    ['between', `${a} text ${b}`, [asA, { stray: 'text' }, asB]],
    ['with brackets before', `[info] {x} ${a}`, [{ stray: '[info] {x}' }, asA]],
    ['with an open bracket before', `{"x": oops ${a}`, [{ stray: '{"x": oops' }, asA]],
    ['JSON of a logger before', `{"level":"info"}${a}`, [{ stray: '{"level":"info"}' }, asA]],
    ['JSON of a logger behind', `${a}{"level":"info"}`, [asA, { stray: '{"level":"info"}' }]],
    ['a message cut off before', `${a.slice(0, 20)}${b}`, [{ stray: a.slice(0, 20) }, asB]],
    ['a message cut off behind', `${b}${a.slice(0, 20)}`, [asB, { stray: a.slice(0, 20) }]],
  ])('saves a message with stray text %s where lenient', (_name, line, pieces) => {
    expect(recoverLine(line, true)).toEqual(pieces);
    expect(recoverLine(line, false)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['text', 'no message here'],
    ['brackets', '[{[{}]}]'],
    ['JSON that is no message', '{"level":"info"} {"a":1}'],
    ['a message quoted by a logger', `12:00 {"level":"debug","sent":${a}}`],
    ['a batch cut off', `[${a},${b}`],
    ['a message inside one cut off', `{"jsonrpc":"2.0","result":{"first": ${a}, "next": ${b}`],
    ['an array that only nests', `x ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('finds no message in %s', (_name, line) => {
    expect(recoverLine(line, true)).toBeUndefined();
    expect(recoverLine(line, false)).toBeUndefined();
  });

  it('saves any number of messages', () => {
    expect(recoverLine(a.repeat(500), false)).toHaveLength(500);
  });

  it('gives up on a line of nothing but openings', () => {
    // Trying each one to the end of the line takes long enough to run into the time limit of the test.
    expect(recoverLine('{"'.repeat(50_000), true)).toBeUndefined();
    expect(recoverLine('[{'.repeat(50_000), true)).toBeUndefined();
    expect(recoverLine(`{"a"${' '.repeat(500_000)}`.repeat(4), true)).toBeUndefined();
  });
});
