import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './packed-folder.ts';

/** What a client sends first: a server that works answers with its tools. */
const LIST_TOOLS: string = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/** What came of a command line. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine that has Node, npm and the clone, and nothing else: no files at home, and no package registry. */
export interface EmptyMachine extends AsyncDisposable {
  readonly home: string;
  /** An empty folder. */
  readonly folder: string;
  /** The clone under another path, in which commands can leave files. */
  readonly clone: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths that were requested from the registry. */
  readonly requested: readonly string[];
  /** Runs a command line in a shell, with the first messages of a client as its input. */
  run(line: string, cwd?: string): Promise<Outcome>;
}

export async function openEmptyMachine(): Promise<EmptyMachine> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'tincan-empty-machine-')));
  const [home, folder, clone] = ['home', 'folder', 'clone'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, folder, clone]) mkdirSync(path);
  for (const name of ['node_modules', 'packages']) {
    symlinkSync(join(ROOT, name), join(clone, name), 'junction');
  }
  cpSync(join(ROOT, 'package.json'), join(clone, 'package.json'));

  const requested: string[] = [];
  const registry = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NO_COLOR: '1',
    npm_config_registry: `http://127.0.0.1:${port}/`,
    // npm looks for a newer npm by itself, which is no business of ours.
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
  };
  return {
    home,
    folder,
    clone,
    env,
    requested,
    run: (line, cwd = folder) => runLine(line, cwd, env),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => registry.close(resolve));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function runLine(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn('sh', ['-c', line], { cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that reads nothing may have ended.
  child.stdin.on('error', () => undefined);
  child.stdin.end(LIST_TOOLS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
