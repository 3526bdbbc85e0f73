import type { EmbedderSettings } from '../embed/embedder-settings.ts';

/** What to do with a text that looks like a key or password. */
export type SecretPolicy = 'redact' | 'refuse' | 'allow';

/** The whole configuration in force: defaults, then the file, then the environment. */
export interface Settings {
  readonly transportDefaults: { readonly defaultTransport: 'stdio' | 'http' };
  readonly embedder: EmbedderSettings;
  readonly store: StoreSettings;
  readonly paths: { readonly configPath: string; readonly dataDir: string };
  readonly secrets: SecretPolicy;
  readonly http: HttpSettings;
  /** Embedder keys that the environment decides, with the variable that does. */
  readonly fixedByEnvironment: Readonly<Partial<Record<FixedKey, string>>>;
  /** The key in the environment, used at its origin whatever the file says. */
  readonly environmentKey: BoundKey | undefined;
  readonly embedderFile: EmbedderFile;
}

/** An API key with the only origin it may be sent to. */
export interface BoundKey {
  readonly value: string;
  readonly origin: string;
}

type FixedKey = 'provider' | 'model' | 'baseUrl' | 'runtime';

/** The embedder's section of the configuration file, which other processes change too. */
export interface EmbedderFile {
  /** What {@link currentStamp} was before the settings were read. */
  readonly stamp: string;
  /** Differs after each change of the file; costs one stat. */
  currentStamp(): string;
  /** The file as it is now, the environment over it. */
  read(): Promise<Pick<Settings, 'embedder' | 'environmentKey'>>;
  /** Makes an embedder the file's; refuses what the environment would undo at the next start. */
  save(embedder: EmbedderSettings): Promise<void>;
}

/** Which store, and where. `memory` forgets everything at exit and must be asked for by name. */
export interface StoreSettings {
  readonly type: 'sqlite' | 'memory';
  readonly path: string | null;
  readonly url: string | null;
}

/** What the HTTP face may be reached by. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}
