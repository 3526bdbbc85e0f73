/** One message of an event stream, with its place in it. */
export interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  readonly text: string;
}

/** Messages kept for one session. */
const MAX_EVENTS = 1000;
/** Their characters altogether; the newest is always kept. */
const MAX_CHARACTERS = 1024 * 1024;

/** The last messages of a session's streams, for clients that come back after a lost connection. */
export class EventLog {
  readonly #events: LoggedEvent[] = [];
  #count = 0;
  #characters = 0;

  add(stream: string, text: string): LoggedEvent {
    this.#count++;
    const event = { id: `${stream}_${this.#count}`, stream, text };
    this.#events.push(event);
    this.#characters += text.length;
    while (
      this.#events.length > MAX_EVENTS ||
      (this.#characters > MAX_CHARACTERS && this.#events.length > 1)
    ) {
      this.#characters -= this.#events.shift()?.text.length ?? 0;
    }
    return event;
  }

  /** Stream an event id belongs to. */
  streamOf(id: string): string {
    return id.slice(0, id.lastIndexOf('_'));
  }

  /** Messages of the same stream that came after the one with this id. */
  after(id: string): LoggedEvent[] {
    const stream = this.streamOf(id);
    const number = Number(id.slice(id.lastIndexOf('_') + 1));
    return this.#events.filter(
      (event) => event.stream === stream && Number(event.id.slice(stream.length + 1)) > number,
    );
  }
}
