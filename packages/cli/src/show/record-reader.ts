import { StringDecoder } from 'node:string_decoder';
import type { TapRecord } from 'tincan-wire';

const TYPES: readonly unknown[] = ['frame', 'stray', 'exit'];

/** Reads a recording piece by piece; a line that is no record is counted and passed over. */
export class RecordReader {
  /** Lines that were no records: a recording cut short, or no recording at all. */
  badLines = 0;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  push(chunk: Buffer): TapRecord[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    return this.#parse(lines);
  }

  end(): TapRecord[] {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    return this.#parse([rest]);
  }

  #parse(lines: readonly string[]): TapRecord[] {
    return lines.flatMap((line) => {
      if (line.trim() === '') return [];
      try {
        const record = JSON.parse(line) as TapRecord;
        if (TYPES.includes(Object(record).type)) return [record];
      } catch {
        // Counted below.
      }
      this.badLines++;
      return [];
    });
  }
}
