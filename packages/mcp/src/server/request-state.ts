import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ErrorCode } from 'tincan-wire';
import { ProtocolError } from './tool-error.ts';

/** How long a client may take to answer. */
const LIFETIME_MS = 60 * 60 * 1000;

interface StatePayload {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly expires: number;
}

/**
 * Answers already given, carried by the client from round to round. It comes back from outside, so it is
 * signed, bound to the call it belongs to, and expires.
 */
export class RequestState {
  readonly #key: Buffer;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
  }

  seal(answers: StatePayload['answers'], call: unknown, nowMs: number): string {
    const payload: StatePayload = { answers, digest: digestOf(call), expires: nowMs + LIFETIME_MS };
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${body}.${this.#sign(body)}`;
  }

  /** Answers inside a state; throws `-32602` for one that is not ours, not of this call, or too old. */
  open(state: unknown, call: unknown, nowMs: number): StatePayload['answers'] {
    const [body = '', signature = ''] = typeof state === 'string' ? state.split('.') : [];
    const expected = Buffer.from(this.#sign(body));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalid('it was not issued by this server, or was changed');
    }
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as StatePayload;
    if (payload.digest !== digestOf(call)) throw invalid('it belongs to another call');
    if (payload.expires < nowMs) throw invalid('it has expired; call again without it');
    return payload.answers;
  }

  #sign(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

function digestOf(call: unknown): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('base64url');
}

function invalid(why: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `invalid \`requestState\`: ${why}`, {
    path: 'requestState',
  });
}
