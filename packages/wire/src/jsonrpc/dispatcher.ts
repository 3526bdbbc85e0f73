import { checkCount } from '../check-option.ts';
import { ErrorCode, WireError } from '../errors.ts';
import { type Handler, noOutlet, type Outlet } from './call.ts';
import { type Dialect, mcpDialect } from './dialect.ts';
import { InboundCalls, invalidText, isResponse, type MethodTable } from './inbound-calls.ts';
import { errorText, type RawMessage } from './message.ts';

/** Surroundings of one {@link Dispatcher.handle}. */
export interface HandleOptions {
  /** Aborts the handlers, as a cancellation would; they still answer. */
  readonly signal?: AbortSignal;
  /** Where the handlers' notifications and requests go; nowhere by default. */
  readonly outlet?: Outlet;
  readonly dialect?: Dialect;
  /** How many calls of a batch run at the same time. Default 16. */
  readonly maxConcurrency?: number;
}

/** Maps method names to handlers. Knows nothing of pipes: works alone, on stdio and behind HTTP. */
export class Dispatcher implements MethodTable {
  readonly #methods = new Map<string, Handler>();

  constructor(methods: Readonly<Record<string, Handler>> = {}) {
    for (const [name, handler] of Object.entries(methods)) this.method(name, handler);
  }

  /** Registers a handler. */
  method(name: string, handler: Handler): this {
    if (typeof handler !== 'function') {
      const got = typeof handler;
      throw new WireError(
        'BAD_OPTION',
        `expected the handler of \`${name}\` to be a function, got \`${got}\``,
      );
    }
    if (this.#methods.has(name)) {
      throw new WireError('BAD_OPTION', `method \`${name}\` is registered already`);
    }
    if (name.startsWith('rpc.')) {
      process.emitWarning(`method names starting with "rpc." are reserved by JSON-RPC: ${name}`);
    }
    this.#methods.set(name, handler);
    return this;
  }

  find(method: string): Handler | undefined {
    return this.#methods.get(method);
  }

  /** Takes one message or batch, runs it and returns the answer; undefined where none is due. */
  async handle(
    input: Uint8Array | string,
    options: HandleOptions = {},
  ): Promise<Uint8Array | undefined> {
    const text = typeof input === 'string' ? input : new TextDecoder().decode(input);
    const answer = await handleMessage(this, text, options);
    return answer === undefined ? undefined : Buffer.from(answer, 'utf8');
  }
}

/** The same for any table of methods, with text in and out. */
export async function handleMessage(
  methods: MethodTable,
  input: string,
  { signal, outlet = noOutlet, dialect = mcpDialect, maxConcurrency = 16 }: HandleOptions = {},
): Promise<string | undefined> {
  const source = input.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return errorText('null', { code: ErrorCode.ParseError, message: 'Parse error' });
  }
  let answer: string | undefined;
  const send = (text: string): void => {
    answer = text;
  };
  checkCount('maxConcurrency', maxConcurrency, { min: 1, infinite: true });
  const calls = new InboundCalls({ methods, maxConcurrency, dialect, outlet, send });
  if (Array.isArray(value)) calls.acceptBatch(value, source);
  else if (typeof value !== 'object' || value === null) {
    send(invalidText(undefined, 'a message must be an object'));
  } else if (!isResponse(value)) calls.accept(value as RawMessage, source);
  const onAbort = (): void =>
    calls.abortAll(new WireError('CANCELLED', 'the caller went away', { cause: signal?.reason }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  await calls.idle();
  signal?.removeEventListener('abort', onAbort);
  return answer;
}
