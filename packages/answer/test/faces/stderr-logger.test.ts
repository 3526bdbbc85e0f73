import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createStderrLogger } from '../../src/faces/stderr-logger.ts';

const folder = mkdtempSync(join(tmpdir(), 'answer-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
const now = () => new Date('2026-11-16T12:00:00Z');

function open(debug: boolean, file: string | null = null) {
  const lines: string[] = [];
  const logger = createStderrLogger({ debug, file, now, write: (line) => void lines.push(line) });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](`say ${level}`);
  return { logger, lines };
}

describe('the stderr logger', () => {
  it('is quiet but for trouble', () => {
    expect(open(false).lines).toEqual([
      '[answer] 2026-11-16T12:00:00.000Z WARN say warn\n',
      '[answer] 2026-11-16T12:00:00.000Z ERROR say error\n',
    ]);
  });

  it('tells everything when asked to, also to a file', () => {
    const file = join(folder, 'deep', 'debug.log');
    const { logger, lines } = open(true, file);
    expect(lines).toHaveLength(4);
    logger.debug('key sk-a9b8c7d6e5f4');
    const log = readFileSync(file, 'utf8');
    expect(log).toBe(lines.join(''));
    expect(log).toContain('key [redacted]');
  });

  it('gives up a file that cannot be written, once', () => {
    const { lines } = open(true, join(folder, 'deep', 'debug.log', 'impossible'));
    expect(lines.filter((line) => line.includes('the debug file is given up'))).toHaveLength(1);
    expect(lines).toHaveLength(5);
  });
});
