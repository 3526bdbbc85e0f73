import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of the calling test file's own, removed after its last test. */
export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-memory-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
