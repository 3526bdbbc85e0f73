import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * What a person types at a server: lines that begin like JSON go on to it, other lines go to `onText`, so that
 * `help` gets help and not a parse error.
 */
export class TerminalInput extends Transform {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onText: (line: string) => void;
  #rest = '';

  constructor(onText: (line: string) => void) {
    super();
    this.#onText = onText;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#take(this.#rest + this.#decoder.end());
    done();
  }

  #take(line: string): void {
    const text = line.trim();
    if (/^[{[]/.test(text)) this.push(`${line}\n`);
    else if (text !== '') this.#onText(text);
  }
}
