import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { TerminalInput } from '../../src/stdio/terminal-input.ts';

it("hands on lines that begin like JSON and gives the others to the person's listener", async () => {
  const said: string[] = [];
  const input = new TerminalInput((line) => said.push(line));
  const passed = text(input);
  for (const chunk of ['he', 'lp\n{"a":', '1}\n\n  [1]\r\nwör', 'ter\nlast']) input.write(chunk);
  input.end();
  expect(await passed).toBe('{"a":1}\n  [1]\r\n');
  expect(said).toEqual(['help', 'wörter', 'last']);
});

it('keeps characters whole that arrive in two pieces', async () => {
  const input = new TerminalInput(() => undefined);
  const passed = text(input);
  const bytes = Buffer.from('{"a":"文"}\n');
  for (const byte of bytes) input.write(Buffer.of(byte));
  input.end();
  expect(await passed).toBe('{"a":"文"}\n');
});
