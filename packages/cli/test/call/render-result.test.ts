import { RpcError } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { jsonText, renderResult } from '../../src/call/render-result.ts';
import { printRpcError } from '../../src/call/run-call.ts';
import { CliError } from '../../src/command/cli-error.ts';
import { createPaint } from '../../src/format/paint.ts';
import { memoryIo } from '../memory-io.ts';

const plain = createPaint(false);

describe('a result for a person', () => {
  it.each<[string, unknown, string]>([
    ['text as text', { content: [{ type: 'text', text: 'hello' }] }, 'hello'],
    [
      'media by kind and size',
      { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4000) }] },
      '[image image/png, 3.0 kB]',
    ],
    ['links', { content: [{ type: 'resource_link', name: 'n', uri: 'x://y' }] }, '[link n x://y]'],
    [
      'resources',
      { content: [{ type: 'resource', resource: { uri: 'x://y', text: 'body' } }] },
      '[x://y]\nbody',
    ],
    [
      'what resources/read answers',
      {
        contents: [
          { uri: 'a:', text: 'one' },
          { uri: 'b:', mimeType: 'x/y', blob: 'AAAA' },
        ],
      },
      '[a:]\none\n[b:] x/y, 3 B',
    ],
    [
      'what prompts/get answers',
      { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
      'user: hi',
    ],
    [
      'structured content once, where the text repeats it',
      { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } },
      '{\n  "a": 1\n}',
    ],
    [
      'structured content besides prose',
      { content: [{ type: 'text', text: 'one' }], structuredContent: { a: 1 } },
      'one\n{\n  "a": 1\n}',
    ],
    ['anything else as JSON', { tools: [] }, '{\n  "tools": []\n}'],
    ['a string as it is', 'pong', 'pong'],
    ['nothing', null, 'null'],
  ])('shows %s', (_, result, text) => {
    expect(renderResult(result, plain)).toBe(text);
  });

  it('lets no escape sequence of a server through', () => {
    const evil = { content: [{ type: 'text', text: '\u001B]0;owned\u0007' }] };
    expect(renderResult(evil, plain)).toBe('\\x1b]0;owned\\x07');
  });

  it('says so when a server nested a value too deeply', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => jsonText(deep)).toThrow(/nests too deeply/);
    expect(() => renderResult({ content: deep }, plain)).toThrow(CliError);
  });
});

describe('printRpcError', () => {
  it.each([true, false])('lets no escape sequence of a server through, as JSON: %s', (asJson) => {
    const io = memoryIo();
    printRpcError(new RpcError(-1, '\u001B[2J', { a: '\u009B31m' }), io, asJson);
    expect(io.err()).toContain('error -1: \\x1b[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(io.err() + (asJson ? '' : io.out())).not.toMatch(/[\u001B\u009B]/);
  });
});
