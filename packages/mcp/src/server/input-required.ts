import type { JsonSchema } from '../schema/json-schema.ts';
import { validate } from '../schema/validate.ts';

/** A question to the person or the program behind the client. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: object;
}

/** Answer to a form or a link. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/**
 * Thrown through a handler whose questions a modern client has to answer first.
 * The client then calls again, and the handler runs from its beginning with the answers at hand.
 */
export class InputRequired extends Error {
  override readonly name: string = 'InputRequired';
  readonly requests: Readonly<Record<string, InputRequest>>;

  constructor(requests: Readonly<Record<string, InputRequest>>) {
    super('the client has to answer first');
    this.requests = requests;
  }
}

/** Whether an answer has the form its question asks for. */
export function isAnswerTo({ method, params }: InputRequest, answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  if (method === 'roots/list') return Array.isArray(Reflect.get(answer, 'roots'));
  if (method === 'sampling/createMessage') return Reflect.get(answer, 'content') !== undefined;
  const { action, content } = answer as { action?: unknown; content?: unknown };
  if (action === 'decline' || action === 'cancel') return true;
  const schema: unknown = Reflect.get(params, 'requestedSchema');
  if (action !== 'accept') return false;
  return schema === undefined || validate(schema as JsonSchema, content ?? {}).length === 0;
}
