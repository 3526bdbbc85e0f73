import { ErrorCode, RpcError } from '../errors.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../framing/framing.ts';
import { findRawId } from '../framing/json-scan.ts';
import { errorObjectFrom } from './error-object.ts';
import { errorText } from './message.ts';

/** Answers of one batch are held together until the last; more than this is over any client's limit. */
const MAX_CHARS = DEFAULT_MAX_MESSAGE_BYTES;

/** Collects the answers to one batch, in the order of its requests, and sends them as one array. */
export class BatchReply {
  readonly #answers: (string | undefined)[];
  readonly #send: (text: string) => void;
  readonly #maxChars: number;
  #open: number;
  #chars = 0;
  #refusal: RpcError | undefined;

  constructor(length: number, send: (text: string) => void, maxChars: number = MAX_CHARS) {
    this.#maxChars = maxChars;
    this.#answers = new Array(length);
    this.#open = length;
    this.#send = send;
  }

  /** The place of one element. It takes an answer, or undefined where none is due, once. */
  slot(index: number): (text: string | undefined) => void {
    return (text) => {
      this.#answers[index] = this.#bounded(text);
      if (--this.#open > 0) return;
      const due = this.#answers.filter((answer) => answer !== undefined);
      if (due.length > 0) this.#send(`[${due.join(',')}]`);
    };
  }

  /** The error of calls that have not started when an answer did not fit; `undefined` before. */
  get refusal(): RpcError | undefined {
    return this.#refusal;
  }

  /** The answer, or an error in its place when all of them together become too long for one message. */
  #bounded(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const limit = this.#maxChars;
    if (this.#chars + text.length <= limit) {
      this.#chars += text.length;
      return text;
    }
    const message = `the answers to this batch exceed ${limit} characters; send smaller batches`;
    this.#refusal ??= new RpcError(ErrorCode.InternalError, message, { limit });
    return errorText(findRawId(text) ?? 'null', errorObjectFrom(this.#refusal));
  }
}
