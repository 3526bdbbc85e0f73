import type { ListedTool } from 'tincan-mcp';
import { ErrorCode, nearestName, RpcError, WireError } from 'tincan-wire';
import { type ArgumentSources, readCallArguments } from '../call/call-arguments.ts';
import { listOffers, renderOffers } from '../call/list-offers.ts';
import { renderResult } from '../call/render-result.ts';
import { printRpcError } from '../call/run-call.ts';
import { CliError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { formatMs } from '../format/measure.ts';
import { printable } from '../format/text.ts';
import type { Session } from '../session/open-session.ts';
import type { SideChannel } from '../session/side-channel.ts';
import { splitWords } from './split-words.ts';

/** Commands of a session; everything else is a tool or a method. */
const REPL_COMMANDS = ['tools', 'resources', 'prompts', 'info', 'help', 'exit'] as const;

/** Methods every MCP server may have, for completion. */
const METHODS: readonly string[] = [
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
];

const HELP = `<tool> key=value…      call a tool; key:=json for other types, @file for an object from a file
<method> key=value…    call a method
tools, resources, prompts   what the server offers
info                   who the server is
Ctrl-C                 give up a call, or the line
exit                   end (or Ctrl-D)`;

/** What a line of a session can be, and what happens then. */
export class ReplSession {
  readonly #session: Session;
  readonly #io: Io;
  readonly #side: SideChannel;
  readonly #settings: { readonly timeoutMs: number; readonly asJson: boolean };
  readonly #sources: ArgumentSources;
  #tools: readonly ListedTool[] = [];
  /** Of the call under way. */
  #abort: AbortController | undefined;

  constructor(
    session: Session,
    { io, side, sources }: { io: Io; side: SideChannel; sources: ArgumentSources },
    settings: { readonly timeoutMs: number; readonly asJson: boolean },
  ) {
    this.#session = session;
    this.#io = io;
    this.#side = side;
    this.#sources = sources;
    this.#settings = settings;
  }

  /** Learns the tools, for completion and for the types of their arguments. */
  async prepare(): Promise<void> {
    const { client } = this.#session;
    if (client === undefined || !Object.hasOwn(client.agreement.capabilities, 'tools')) return;
    this.#tools = await client.listTools({ timeoutMs: this.#settings.timeoutMs });
  }

  /** Runs a line. Returns whether it went well, or `exit`. */
  async run(line: string): Promise<boolean | 'exit'> {
    const started = performance.now();
    try {
      const [first, ...rest] = splitWords(line);
      if (first === undefined || first.startsWith('#')) return true;
      if (first === 'exit' || first === 'quit') return 'exit';
      if (first === 'help') this.#io.print(HELP);
      else if (REPL_COMMANDS.some((command) => command === first)) await this.#command(first);
      else {
        const result = await this.#call(first, rest);
        const { asJson } = this.#settings;
        const isError = Object(result).isError === true;
        const text = asJson ? JSON.stringify(result) : renderResult(result, this.#io.paint);
        this.#io.print(isError && !asJson ? this.#io.paint.red(text) : text);
        this.#time(started);
        return !isError;
      }
      return true;
    } catch (error) {
      this.#fail(error, started);
      if (error instanceof WireError && error.code === 'PROCESS_EXITED') throw error;
      if (error instanceof RpcError && error.rpcCode === ErrorCode.MethodNotFound) {
        this.#suggest(splitWords(line)[0] ?? '');
      }
      return false;
    }
  }

  /** Gives up the call under way, if there is one. */
  cancel(): boolean {
    this.#abort?.abort();
    return this.#abort !== undefined;
  }

  /** Completions of a line: commands, tools and methods first, then the arguments of a tool. */
  complete(line: string): [string[], string] {
    const words = line.split(/\s+/);
    const last = words.at(-1) ?? '';
    if (words.length <= 1) {
      const names = this.#names();
      return [names.filter((name) => name.startsWith(last)).map((name) => `${name} `), last];
    }
    const tool = this.#tools.find(({ name }) => name === words[0]);
    const properties = Object(Object(tool?.inputSchema).properties) as Record<string, unknown>;
    const at = last.indexOf('=');
    if (at < 0) {
      const given = words.slice(1, -1).map((word) => word.replace(/:?=.*$/, ''));
      const keys = Object.keys(properties).filter(
        (key) => key.startsWith(last) && !given.includes(key),
      );
      return [keys.map((key) => `${key}=`), last];
    }
    const key = last.slice(0, at).replace(/:$/, '');
    const values = valuesOf(properties[key]).filter((value) =>
      value.startsWith(last.slice(at + 1)),
    );
    return [values.map((value) => `${last.slice(0, at + 1)}${value} `), last];
  }

  async #command(name: string): Promise<void> {
    const { client, readyMs } = this.#session;
    if (client === undefined) throw new CliError('USAGE', `\`${name}\` needs the MCP handshake`);
    if (name === 'info') {
      this.#io.print(
        JSON.stringify({ ...client.agreement, readyMs: Math.round(readyMs) }, null, 2),
      );
      return;
    }
    const offers = await listOffers(client, this.#settings.timeoutMs);
    this.#tools = offers.tools;
    const none = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
    const wanted = {
      tools: { tools: offers.tools },
      resources: { resources: offers.resources, resourceTemplates: offers.resourceTemplates },
      prompts: { prompts: offers.prompts },
    }[name];
    if (this.#settings.asJson) this.#io.print(JSON.stringify(wanted));
    else {
      for (const line of renderOffers({ ...offers, ...none, ...wanted }, this.#io))
        this.#io.print(line);
    }
  }

  async #call(first: string, words: readonly string[]): Promise<unknown> {
    const { client, line } = this.#session;
    const tool = this.#tools.find(({ name }) => name === first);
    const args = await readCallArguments(words, this.#sources, tool?.inputSchema);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const options = { timeoutMs: this.#settings.timeoutMs, signal };
    const onProgress = this.#side.progress.bind(this.#side);
    try {
      if (client === undefined) return await line.request(first, args, options);
      if (tool === undefined) return await client.request(first, args, { ...options, onProgress });
      const named = args as Record<string, unknown>;
      return await client.callTool(first, named, { ...options, onProgress });
    } finally {
      this.#abort = undefined;
    }
  }

  /** A word that is neither a tool nor a method was perhaps meant to be one. */
  #suggest(word: string): void {
    const guess = nearestName(word, this.#names());
    if (guess !== undefined) this.#io.remark(this.#io.errorPaint.dim(`did you mean \`${guess}\`?`));
  }

  #names(): string[] {
    const methods = this.#session.client === undefined ? [] : METHODS;
    return [...REPL_COMMANDS, ...this.#tools.map(({ name }) => name), ...methods];
  }

  #fail(error: unknown, started: number): void {
    if (error instanceof RpcError) {
      printRpcError(error, this.#io, this.#settings.asJson);
      this.#time(started);
    } else {
      const message = error instanceof Error ? error.message : String(error);
      this.#io.remark(`${this.#io.errorPaint.red('error:')} ${printable(message)}`);
    }
  }

  #time(started: number): void {
    this.#io.remark(this.#io.errorPaint.dim(formatMs(performance.now() - started)));
  }
}

function valuesOf(schema: unknown): string[] {
  const { enum: values, type } = Object(schema) as { enum?: unknown; type?: unknown };
  if (Array.isArray(values)) return values.map(String);
  return type === 'boolean' ? ['true', 'false'] : [];
}
