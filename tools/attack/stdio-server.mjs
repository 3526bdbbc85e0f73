// The memory server on stdio, as its parent sees it: bytes in, lines out.

import { addCanary, canaryProblem } from './canary.mjs';
import { MEMORY, Program, scratchFolder } from './programs.mjs';

export class StdioServer {
  #decoder = new TextDecoder();
  #rest = '';
  #answers = [];
  #wake = () => undefined;
  #calls = 0;

  static async open({ env, args = ['serve'], prepare } = {}) {
    const server = new StdioServer();
    server.folder = scratchFolder();
    await prepare?.(server.folder.path);
    server.program = new Program(MEMORY, args, {
      home: server.folder.path,
      env,
      onOutput: (chunk) => server.#take(chunk),
    });
    server.canary = await addCanary(server.call);
    return server;
  }

  get home() {
    return this.folder.path;
  }

  write(bytes) {
    this.program.child.stdin.write(bytes);
  }

  /** Stops reading what the server says, or continues. */
  setReading(isReading) {
    if (isReading) this.program.child.stdout.resume();
    else this.program.child.stdout.pause();
  }

  /** Makes one call and resolves with its answer. */
  call = async (method, params) => {
    const id = `call-${++this.#calls}`;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const isOwn = ({ value }) => value?.id === id;
    await this.#until(() => this.#answers.some(isOwn));
    const [{ value }] = this.#answers.splice(this.#answers.findIndex(isOwn), 1);
    return value;
  };

  /** Sends bytes, and a request behind them. Resolves with the answers to the bytes, at least `count`. */
  async exchange(bytes, count = 0) {
    this.write(bytes);
    const id = `fence-${++this.#calls}`;
    this.write(`\n{"jsonrpc":"2.0","id":"${id}","method":"memory.get_config"}\n`);
    const isFence = ({ value }) => value?.id === id;
    await this.#until(() => this.#answers.length > count && this.#answers.some(isFence));
    return this.#answers.splice(0).filter((answer) => !isFence(answer));
  }

  /** What is wrong with the server now. */
  async problem() {
    const problem = await canaryProblem(this.call, this.canary);
    const [stray] = this.#answers.splice(0);
    return problem ?? (stray && `an answer to nothing: ${stray.raw.slice(0, 200)}`);
  }

  async close() {
    await this.program.kill();
    this.folder.close();
  }

  async #until(isDone) {
    while (!isDone()) {
      if (!this.program.isAlive) {
        throw new Error(`the server ended: ${this.program.stderr.slice(0, 500)}`);
      }
      const heard = new Promise((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([heard, this.program.ended]);
    }
  }

  #take(chunk) {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop();
    for (const raw of lines) this.#answers.push({ raw, value: parse(raw) });
    this.#wake();
  }
}

/** Text that is not JSON stays undefined, which no expectation matches. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
