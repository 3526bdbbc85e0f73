/** Lines of one pretty-printed JSON value, joined until its brackets close. */
export class LineHold {
  #lines: string[] = [];
  #chars = 0;
  #depth = 0;

  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** Starts with a line that opens a bracket and leaves it open. */
  open(line: string): boolean {
    this.#count(line);
    if (this.#depth <= 0) {
      this.#depth = 0;
      return false;
    }
    this.#keep(line);
    return true;
  }

  /** Keeps one more line, unless all of them would then be longer than `maxChars`. */
  add(line: string, maxChars: number): 'open' | 'closed' | 'too-long' {
    if (this.#chars + line.length > maxChars) return 'too-long';
    this.#keep(line);
    this.#count(line);
    return this.#depth > 0 ? 'open' : 'closed';
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  take(): string {
    const { text } = this;
    this.#lines = [];
    this.#chars = 0;
    this.#depth = 0;
    return text;
  }

  #keep(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }

  /** JSON strings never span lines, so each line can be counted alone. */
  #count(line: string): void {
    let isString = false;
    for (let i = 0; i < line.length; i++) {
      const char = line.charCodeAt(i);
      if (isString) {
        if (char === 0x5c) i++;
        else if (char === 0x22) isString = false;
      } else if (char === 0x22) isString = true;
      else if (char === 0x7b || char === 0x5b) this.#depth++;
      else if (char === 0x7d || char === 0x5d) this.#depth--;
    }
  }
}
