import { readFileSync } from 'node:fs';
import { PROVIDERS, type ProviderName } from '../embed/providers.ts';
import { MemoryError } from '../errors.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type Violation, validate } from '../schema/validate.ts';

/** The embedder's section of the file. */
export interface EmbedderKeys {
  readonly provider?: ProviderName;
  readonly model?: string;
  readonly dim?: number;
  readonly baseUrl?: string | null;
  readonly apiKey?: string | null;
  /** Folder of `onnxruntime-node`; no request writes it. */
  readonly runtime?: string;
}

/** The file as it is written: every key optional, nothing else allowed. */
export interface ConfigFile {
  readonly transportDefaults?: { readonly defaultTransport?: 'stdio' | 'http' };
  readonly embedder?: EmbedderKeys;
  readonly store?: {
    readonly type?: 'sqlite' | 'memory';
    readonly path?: string | null;
    readonly url?: string | null;
  };
  readonly paths?: { readonly configPath?: string; readonly dataDir?: string };
  readonly secrets?: 'redact' | 'refuse' | 'allow';
  readonly http?: {
    readonly host?: string;
    readonly port?: number;
    readonly token?: string;
    readonly allowedHosts?: readonly string[];
    readonly allowedOrigins?: readonly string[];
  };
}

const text: JsonSchema = { type: 'string', minLength: 1 };
const textOrNull: JsonSchema = { type: ['string', 'null'] };
const texts: JsonSchema = { type: 'array', items: text };

function section(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', additionalProperties: false, properties };
}

const SCHEMA: JsonSchema = section({
  transportDefaults: section({ defaultTransport: { type: 'string', enum: ['stdio', 'http'] } }),
  embedder: section({
    provider: { type: 'string', enum: Object.keys(PROVIDERS) },
    model: text,
    dim: { type: 'integer', minimum: 0 },
    baseUrl: textOrNull,
    apiKey: textOrNull,
    runtime: text,
  }),
  store: section({
    type: { type: 'string', enum: ['sqlite', 'memory'] },
    path: textOrNull,
    url: textOrNull,
  }),
  paths: section({ configPath: text, dataDir: text }),
  secrets: { type: 'string', enum: ['redact', 'refuse', 'allow'] },
  http: section({
    host: text,
    port: { type: 'integer', minimum: 0, maximum: 65_535 },
    token: text,
    allowedHosts: texts,
    allowedOrigins: texts,
  }),
});

/** Reads and checks a configuration file; one that is absent is an empty one. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const content = readIfPresent(path);
  if (content === undefined || content.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    // The parser's message would quote the file, which may hold a key.
    throw configError(path, 'is not JSON', cause instanceof SyntaxError ? undefined : cause);
  }
  const [first] = validate(SCHEMA, value);
  if (first !== undefined) throw configError(path, describe(first));
  return value as ConfigFile;
}

/** At once: a server reads it before its first answer, and loading the asynchronous functions takes longer. */
function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw configError(path, 'cannot be read', cause);
  }
}

function describe({ path, message }: Violation): string {
  return `has a mistake at \`${path}\`: ${message}`;
}

function configError(path: string, what: string, cause?: unknown): MemoryError {
  return new MemoryError('CONFIG', `the configuration \`${path}\` ${what}`, {
    cause,
    data: { configPath: path },
  });
}
