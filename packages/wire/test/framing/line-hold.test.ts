import { describe, expect, it } from 'vitest';
import { LineHold } from '../../src/framing/line-hold.ts';

describe('LineHold', () => {
  it.each([
    ['{', true],
    ['[', true],
    ['{"a": [', true],
    ['{"a": "}"', true],
    ['{"a": "\\"}"', true],
    ['{}', false],
    ['[1, 2]', false],
    ['{"a": "{"}', false],
    ['}', false],
    ['} {', false],
    ['', false],
  ])('opens with `%s`: %s', (line, expected) => {
    const hold = new LineHold();
    expect(hold.open(line)).toBe(expected);
    expect(hold.isOpen).toBe(expected);
    expect(hold.text).toBe(expected ? line : '');
  });

  it('closes with the bracket that was open first', () => {
    const hold = new LineHold();
    hold.open('{');
    expect(hold.add('"a": [', 100)).toBe('open');
    expect(hold.add('"}]\\"",', 100)).toBe('open');
    expect(hold.add(']', 100)).toBe('open');
    expect(hold.add('}', 100)).toBe('closed');
    expect(hold.take()).toBe('{\n"a": [\n"}]\\"",\n]\n}');
    expect(hold.isOpen).toBe(false);
    expect(hold.text).toBe('');
  });

  it('refuses a line that would pass the limit and keeps the others', () => {
    const hold = new LineHold();
    hold.open('{');
    expect(hold.add('12345678', 10)).toBe('open');
    expect(hold.add('9', 10)).toBe('too-long');
    expect(hold.take()).toBe('{\n12345678');
  });

  it('starts afresh after it was taken, or did not open', () => {
    const hold = new LineHold();
    hold.open('[[[');
    hold.take();
    expect(hold.open('}}')).toBe(false);
    expect(hold.open('{')).toBe(true);
    expect(hold.add('}', 100)).toBe('closed');
  });
});
