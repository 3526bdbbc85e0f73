/** A request id as it travels. Integers beyond 2^53 arrive as `bigint`, digit for digit. */
export type RpcId = string | number | bigint | null;

/** Arguments of a call: by name, by position, or none. */
export type RpcParams = object | readonly unknown[] | undefined;

/** A call that wants an answer. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: string;
  readonly params?: RpcParams;
}

/** A call that wants none. */
export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: RpcParams;
}

/** The error member of an answer. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer. */
export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: RpcErrorObject };

/** A message as it came out of JSON.parse: nothing about its members is known yet. */
export interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The text around the parameters of a call: what follows its id. */
interface MethodText {
  /** Where no parameters follow. */
  readonly alone: string;
  /** Up to the parameters. */
  readonly head: string;
}

const methodTexts = new Map<string, MethodText>();
const MAX_METHOD_TEXTS = 1000;

/** Text of a method name and its surroundings, remembered: a program calls few methods often. */
function methodText(method: string): MethodText {
  let text = methodTexts.get(method);
  if (text === undefined) {
    const member = `"method":${JSON.stringify(method)}`;
    text = { alone: `${member}}`, head: `${member},"params":` };
    if (methodTexts.size < MAX_METHOD_TEXTS) methodTexts.set(method, text);
  }
  return text;
}

/** Text of a request (with `id`) or a notification (without). `params` is JSON text already. */
export function callText(method: string, params: string | undefined, id?: number): string {
  const { alone, head } = methodText(method);
  // Few long pieces: joining the strings of many messages costs by the piece.
  const start = id === undefined ? '{"jsonrpc":"2.0",' : `{"jsonrpc":"2.0","id":${id},`;
  return params === undefined ? start + alone : `${start}${head}${params}}`;
}

/** Text of a successful answer. `id` and `result` are JSON text already. */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** Text of an error answer. `id` is JSON text already. */
export function errorText(id: string, error: RpcErrorObject): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}
