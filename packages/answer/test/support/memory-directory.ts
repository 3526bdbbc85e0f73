import type { CacheDirectory } from '../../src/answer/answer-cache.ts';

/** A cache directory in memory; `files` is open to inspection and damage. */
export class MemoryDirectory implements CacheDirectory {
  readonly files = new Map<string, string>();

  async read(name: string): Promise<string | undefined> {
    return this.files.get(name);
  }

  async write(name: string, text: string): Promise<void> {
    this.files.delete(name);
    this.files.set(name, text);
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  async list(): Promise<readonly string[]> {
    return [...this.files.keys()];
  }
}
