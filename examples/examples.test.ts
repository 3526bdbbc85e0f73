import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const folder = import.meta.dirname;
const examples = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/main.ts`));

/** What each program must say; the rest is checked by the program itself, which then exits non-zero. */
const LAST_LINES: Readonly<Record<string, string>> = {
  'both-framings': 'decoded byte by byte: line, header, line',
  calculator: 'closed; still running: false',
  'mcp-server': 'both eras: the same answers',
  'progress-and-cancel': 'timed out: TIMEOUT, total clock, 200 ms',
  supervised: 'after close: SHUTDOWN',
  'tap-and-replay': "temperature { city: 'Lima' } was { result: 19 } is { result: 20 }",
};

describe('examples', () => {
  it.each(examples)('%s runs to its end without a surprise', async (name) => {
    const { stdout } = await run(process.execPath, [`${folder}/dist/${name}/main.js`], {
      timeout: 25_000,
    });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(LAST_LINES[name]);
  });

  it('has an expectation for every program and a program for every expectation', () => {
    expect(examples.toSorted()).toEqual(Object.keys(LAST_LINES).toSorted());
  });
});
