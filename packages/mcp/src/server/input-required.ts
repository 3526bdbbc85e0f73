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
