import { AnswerError } from '../answer-error.ts';
import { parseRecording, type Recording } from './recording.ts';

/** The file system as a cassette needs it. */
export interface CassetteFiles {
  readFile(path: string): Promise<string>;
  appendFile(path: string, text: string): Promise<void>;
}

/** A file of recordings. The same request recorded twice is replayed in that order. */
export class Cassette {
  readonly #path: string;
  readonly #files: CassetteFiles;
  #byKey: Promise<Map<string, Recording[]>> | undefined;

  constructor(path: string, files: CassetteFiles) {
    this.#path = path;
    this.#files = files;
  }

  /** The next recording of a request; the last one serves all further calls. */
  async next(key: string): Promise<Recording | undefined> {
    const queue = (await this.#load()).get(key);
    return queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0];
  }

  async add(recording: Recording): Promise<void> {
    const byKey = await this.#load();
    byKey.set(recording.key, [...(byKey.get(recording.key) ?? []), recording]);
    await this.#files.appendFile(this.#path, `${JSON.stringify(recording)}\n`);
  }

  #load(): Promise<Map<string, Recording[]>> {
    this.#byKey ??= this.#read();
    return this.#byKey;
  }

  async #read(): Promise<Map<string, Recording[]>> {
    const byKey = new Map<string, Recording[]>();
    const source = await this.#source();
    for (const [index, line] of source.split('\n').entries()) {
      if (line.trim() === '') continue;
      const recording = this.#parse(line, index + 1);
      byKey.set(recording.key, [...(byKey.get(recording.key) ?? []), recording]);
    }
    return byKey;
  }

  async #source(): Promise<string> {
    try {
      return await this.#files.readFile(this.#path);
    } catch (error) {
      // A cassette that does not exist yet is an empty one.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  }

  #parse(line: string, number: number): Recording {
    try {
      return parseRecording(line);
    } catch (cause) {
      throw new AnswerError('replay_miss', `${this.#path}:${number}: not a recording`, {
        cause,
        hint: 'record the cassette anew',
      });
    }
  }
}
