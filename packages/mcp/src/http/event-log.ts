/** One message of an event stream, with its place in it. */
export interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  readonly text: string;
}

/** Messages kept for one session. */
const MAX_EVENTS = 1000;

/** The last messages of a session's streams, for clients that come back after a lost connection. */
export class EventLog {
  #events: LoggedEvent[] = [];
  #count = 0;

  add(stream: string, text: string): LoggedEvent {
    this.#count++;
    const event = { id: `${stream}_${this.#count}`, stream, text };
    this.#events.push(event);
    if (this.#events.length > MAX_EVENTS * 2) this.#events = this.#events.slice(-MAX_EVENTS);
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
