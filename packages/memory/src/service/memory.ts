import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { Settings } from '../config/settings.ts';
import { openEmbedder } from '../embed/open-embedder.ts';
import { invalidParams } from '../errors.ts';
import { openStore } from '../store/open-store.ts';
import type { Store, StoreStatus } from '../store/store.ts';
import { ConfigurationService, type SaveEmbedder } from './configuration.ts';
import type { ServiceContext } from './context.ts';
import { Embedding } from './embedding.ts';
import type { OpenEmbedder } from './embedding-model.ts';
import type { EmbeddingProgress } from './embedding-progress.ts';
import { GlobalValueService } from './global-values.ts';
import { GroupService } from './groups.ts';
import { HistoryService } from './history.ts';
import { LazyStore } from './lazy-store.ts';
import { NoteService } from './notes.ts';
import { canonicalProjectId } from './project-id.ts';
import { ProjectIds } from './project-ids.ts';
import { SearchService } from './search.ts';
import { openScreen, type SecretScreen } from './secrets.ts';
import { TransferService } from './transfer.ts';
import { wellFormed } from './well-formed.ts';

/** The settings, and what tests put in the place of the world. */
export interface MemoryOptions {
  readonly settings: Settings;
  readonly openStore?: (settings: Settings['store']) => Promise<Store>;
  readonly openEmbedder?: OpenEmbedder;
  readonly save?: SaveEmbedder;
  readonly now?: () => number;
  readonly createId?: () => string;
  readonly home?: string;
  readonly cwd?: string;
  /** How long a search waits for the question's vector before words must do. */
  readonly askWaitMs?: number;
  readonly onProgress?: (progress: EmbeddingProgress) => void;
}

/** The whole memory behind every face. Making one opens nothing: the first call that needs it does. */
export class Memory {
  readonly notes: NoteService;
  readonly finder: SearchService;
  readonly history: HistoryService;
  readonly groups: GroupService;
  readonly values: GlobalValueService;
  readonly transfer: TransferService;
  readonly configuration: ConfigurationService;
  readonly settings: Settings;
  readonly #store: LazyStore;
  readonly #embedding: Embedding;

  constructor(options: MemoryOptions) {
    const { settings, now = Date.now, createId = randomUUID } = options;
    const { home = homedir(), cwd = process.cwd(), askWaitMs = 5_000 } = options;
    const open = options.openStore ?? openStore;
    this.settings = settings;
    this.#store = new LazyStore(() => open(settings.store));
    const store = (): Promise<Store> => this.#store.get();
    this.#embedding = new Embedding({
      settings: settings.embedder,
      store,
      open: options.openEmbedder ?? openEmbedder,
      now,
      askWaitMs,
      onProgress: options.onProgress,
    });
    const canonical = async (projectId: string): Promise<string> => {
      if (projectId.includes('\0')) {
        throw invalidParams('projectId contains invalid characters', 'projectId');
      }
      return canonicalProjectId(wellFormed(projectId), { home, cwd });
    };
    let opened: Promise<SecretScreen> | undefined;
    const screen = (): Promise<SecretScreen> => {
      opened ??= openScreen(settings.secrets);
      return opened;
    };
    const ids = new ProjectIds({ canonical, screen, store });
    const context: ServiceContext = {
      store,
      embedding: this.#embedding,
      canonical: (projectId) => ids.toRead(projectId),
      writable: (projectId) => ids.toWrite(projectId),
      screen,
      now,
      createId,
    };
    this.notes = new NoteService(context);
    this.finder = new SearchService(context);
    this.history = new HistoryService(context);
    this.groups = new GroupService(context);
    this.values = new GlobalValueService(context);
    this.transfer = new TransferService(context);
    const { save = (embedder) => settings.embedderFile.save(embedder) } = options;
    this.configuration = new ConfigurationService(settings, {
      embedding: this.#embedding,
      save,
      isStoreOpen: () => this.#store.isOpen,
    });
  }

  /** Sees to notes that an earlier process left without a vector. Call it once the first answer is out. */
  resume(): void {
    this.#embedding.kick();
  }

  /** Embeds what waits, with `all` everything anew; resolves when done. */
  async reindex(
    options: { readonly all?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    await this.#embedding.fill(options);
  }

  /** Projects that hold anything, by name. */
  async listProjects(): Promise<readonly string[]> {
    return (await (await this.#store.get()).listProjects()).sort();
  }

  /** Figures of the store. */
  async status(): Promise<StoreStatus> {
    return (await this.#store.get()).status();
  }

  /** Problems of the store, none when all is well; reads all of it. */
  async check(): Promise<readonly string[]> {
    return (await this.#store.get()).check();
  }

  /** Why notes are waiting for vectors, where something is wrong. */
  get embeddingFailure(): unknown {
    return this.#embedding.failure;
  }

  async close(): Promise<void> {
    await this.#embedding.close();
    await this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
