import type { Store } from '../store/store.ts';
import type { SecretScreen } from './secrets.ts';

/** What ids of projects are resolved with. */
export interface ProjectIdsOptions {
  /** The canonical name of a project, from the file system where it is a path. */
  readonly canonical: (projectId: string) => Promise<string>;
  readonly screen: () => Promise<SecretScreen>;
  readonly store: () => Promise<Store>;
}

const URL_WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/**
 * Ids of projects as the store knows them. The user part of a URL is dropped where it holds a secret; a
 * project that was stored under such a URL is still found by it.
 */
export class ProjectIds {
  readonly #options: ProjectIdsOptions;

  constructor(options: ProjectIdsOptions) {
    this.#options = options;
  }

  /** For a call that reads: nothing is refused, so that rows of an older version can still be reached. */
  async toRead(projectId: string): Promise<string> {
    const { canonical, store } = this.#options;
    const name = await canonical(projectId);
    const clean = await this.#withoutUser(name);
    if (clean === undefined) return name;
    return (await (await store()).findFormerProject(name)) ?? clean;
  }

  /** For a call that writes: refuses an id that holds a secret, and takes the secret out of a stored one. */
  async toWrite(projectId: string): Promise<string> {
    const { canonical, screen, store } = this.#options;
    const name = await canonical(projectId);
    const clean = await this.#withoutUser(name);
    (await screen()).identifier('projectId', clean ?? name);
    return clean === undefined ? name : (await store()).renameProject(name, clean);
  }

  /** A URL without its user part, `undefined` where there is nothing to drop. */
  async #withoutUser(projectId: string): Promise<string | undefined> {
    const [whole, scheme = '', user = ''] = URL_WITH_USER.exec(projectId) ?? [];
    if (whole === undefined) return undefined;
    const screen = await this.#options.screen();
    const isSecret = screen.isOn && (user.includes(':') || screen.holdsSecret(whole));
    return isSecret ? scheme + projectId.slice(whole.length) : undefined;
  }
}
