// Runs a command to its end and measures its memory while it runs.

import { Program, scratchFolder } from './programs.mjs';

const SAMPLE_MS = 20;

/** What came of a command. `hasTrace` says that a stack trace, and `hasEscape` that a raw escape, was printed. */
async function runCommand(script, args, { home, env, onStart }) {
  let stdout = '';
  const program = new Program(script, args, {
    home,
    env: { NO_COLOR: '1', ...env },
    onOutput: (chunk) => {
      if (stdout.length < 1_000_000) stdout += chunk;
    },
  });
  onStart(program);
  program.child.stdin.end();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, program.memory.peak);
  }, SAMPLE_MS);
  const { code, signal } = await program.ended.finally(() => clearInterval(timer));
  const said = stdout + program.stderr;
  return {
    ...{ code, signal, stdout, stderr: program.stderr, peak },
    hasTrace: /^\s+at .+:\d+:\d+\)?$/m.test(said),
    hasEscape: said.includes('\x1b') || said.includes('\x9b'),
  };
}

/** A target for commands that each start and end: only the folder they work in stays. */
export class Bench {
  peak = 0;
  #program;

  static async open(prepare) {
    const bench = new Bench();
    bench.folder = scratchFolder();
    await prepare?.(bench);
    return bench;
  }

  get home() {
    return this.folder.path;
  }

  async run(script, args, options) {
    const onStart = (program) => {
      this.#program = program;
    };
    const outcome = await runCommand(script, args, { home: this.home, onStart, ...options });
    this.peak = Math.max(this.peak, outcome.peak);
    return outcome;
  }

  async problem() {
    return undefined;
  }

  /** A command that hangs ends with its bench. */
  async close() {
    await this.#program?.kill();
    this.folder.close();
  }
}
