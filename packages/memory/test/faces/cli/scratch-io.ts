import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { CommandIo } from '../../../src/faces/cli/io.ts';
import { runMemoryCommand } from '../../../src/faces/cli/run-memory-command.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a memory of its own and a way to run commands on it. */
export class Scratch {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'tincan-cli-'));

  async run(
    argv: readonly string[],
    options: Partial<CommandIo> & { input?: string } = {},
  ): Promise<Outcome> {
    const [out, err] = [new Sink(), new Sink()];
    const { input, ...fields } = options;
    const code = await runMemoryCommand(argv, {
      stdin: input === undefined ? new PassThrough() : Readable.from([Buffer.from(input)]),
      stdout: out,
      stderr: err,
      env: { TINCAN_HOME: join(this.folder, 'home'), TINCAN_EMBEDDER_PROVIDER: 'none' },
      cwd: this.folder,
      isInputTerminal: input === undefined,
      isTerminal: false,
      isErrorTerminal: false,
      columns: 100,
      ...fields,
    });
    return { code, out: out.text, err: err.text };
  }

  /** Runs a command that must succeed and reads its JSON. */
  async json<T = Record<string, unknown>>(argv: readonly string[], input?: string): Promise<T> {
    const { code, out, err } = await this.run(argv, input === undefined ? {} : { input });
    if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
