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
  /** IANA name of the time zone in which a query's days are meant. */
  readonly search: { readonly timeZone: string };
  readonly http: HttpSettings;
  /** Embedder keys that the environment decides, with the variable that does. */
  readonly fixedByEnvironment: Readonly<Partial<Record<keyof EmbedderSettings, string>>>;
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
