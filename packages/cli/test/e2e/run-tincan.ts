import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The built command. */
export const PROGRAM: string = `${root}packages/cli/bin/tincan.js`;
/** Our conformance server: both eras, both framings, every kind of tool. */
export const OURS: readonly string[] = [
  process.execPath,
  `${root}packages/mcp/test/conformance/server.mjs`,
];
/** A server with one defect. */
export const BAD = (defect: string): string[] => [
  process.execPath,
  fileURLToPath(new URL('../fixtures/bad-server.mjs', import.meta.url)),
  defect,
];
/** A server from npm. */
export const OFFICIAL = (name: string, ...args: readonly string[]): string[] => [
  process.execPath,
  `${root}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`,
  ...args,
];

/** What came of a run. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run it. */
export interface RunOptions {
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs the built command to its end. */
export function tincan(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return run(process.execPath, [PROGRAM, ...args], options);
}

/** Runs any program to its end. */
export function run(
  command: string,
  args: readonly string[],
  { input = '', env = {}, cwd }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
}

/** A folder that is gone after the tests of the file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A command line for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
