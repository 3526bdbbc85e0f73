import type { PathBase } from '../config/expand-path.ts';
import { assertProjectId, canonicalProjectId, isPathLike } from './project-id.ts';

const MAX_NAMES = 128;
/** Long enough for the calls of one task; a link or worktree that is made meanwhile counts soon. */
const KEPT_MS = 2_000;

interface KeptName {
  readonly name: Promise<string>;
  readonly until: number;
}

/** Canonical names of projects. Those of paths are kept for a moment: most calls name the same project. */
export class ProjectNames {
  readonly #base: PathBase;
  readonly #now: () => number;
  readonly #resolve: (projectId: string, base: PathBase) => Promise<string>;
  readonly #kept = new Map<string, KeptName>();

  constructor(
    base: PathBase,
    {
      now = () => performance.now(),
      resolve = canonicalProjectId,
    }: {
      readonly now?: () => number;
      readonly resolve?: (projectId: string, base: PathBase) => Promise<string>;
    } = {},
  ) {
    this.#base = base;
    this.#now = now;
    this.#resolve = resolve;
  }

  async canonical(projectId: string): Promise<string> {
    assertProjectId(projectId);
    if (!isPathLike(projectId)) return this.#resolve(projectId, this.#base);
    const kept = this.#kept.get(projectId);
    if (kept !== undefined && this.#now() < kept.until) return kept.name;
    const name = this.#resolve(projectId, this.#base);
    this.#keep(projectId, name);
    return name;
  }

  #keep(projectId: string, name: Promise<string>): void {
    this.#kept.delete(projectId);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_NAMES && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(projectId, { name, until: this.#now() + KEPT_MS });
  }
}
