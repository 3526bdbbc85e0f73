import { usageError } from '../command-error.ts';

/** The names that `--map from=to` gives to projects of an import. */
export class ProjectMap {
  readonly #names = new Map<string, string>();
  readonly #unused = new Set<string>();

  constructor(maps: readonly string[]) {
    for (const map of maps) {
      const at = map.indexOf('=');
      if (at <= 0 || at === map.length - 1) {
        throw usageError(`expected \`--map\` to be \`from=to\`, got \`${map}\``);
      }
      const from = map.slice(0, at);
      if (this.#names.has(from)) {
        throw usageError(`expected one \`--map\` for project \`${from}\`, got several`);
      }
      this.#names.set(from, map.slice(at + 1));
      this.#unused.add(from);
    }
  }

  rename(projectId: string): string {
    this.#unused.delete(projectId);
    return this.#names.get(projectId) ?? projectId;
  }

  /** Projects that no record was of. */
  get unused(): readonly string[] {
    return [...this.#unused];
  }
}
