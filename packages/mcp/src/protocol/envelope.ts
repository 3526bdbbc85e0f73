import { ErrorCode, RpcError } from 'tincan-wire';
import type { ClientCapabilities, Implementation } from './capabilities.ts';
import { McpErrorCode } from './error-codes.ts';
import { isLogLevel, type LogLevel } from './logging.ts';
import { isModernVersion, MODERN_VERSIONS, type ModernVersion } from './revisions.ts';

const PREFIX = 'io.modelcontextprotocol/';
export const META_VERSION: string = `${PREFIX}protocolVersion`;
export const META_CAPABILITIES: string = `${PREFIX}clientCapabilities`;
export const META_CLIENT_INFO: string = `${PREFIX}clientInfo`;
export const META_LOG_LEVEL: string = `${PREFIX}logLevel`;
export const META_SERVER_INFO: string = `${PREFIX}serverInfo`;
export const META_SUBSCRIPTION: string = `${PREFIX}subscriptionId`;

/** What a modern request says about its sender. */
export interface Envelope {
  readonly protocolVersion: ModernVersion;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** The `_meta` member of params, if it has one. */
export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const meta: unknown = Reflect.get(params, '_meta');
  return isRecord(meta) ? meta : undefined;
}

/** Whether a request belongs to the modern era: it carries a version, or only that era has its method. */
export function isModernRequest(method: string, params: unknown): boolean {
  if (method === 'server/discover' || method === 'subscriptions/listen') return true;
  const meta = metaOf(params);
  return meta !== undefined && META_VERSION in meta;
}

/** Reads the envelope of a modern request; throws the error the revision wants for a bad one. */
export function readEnvelope(params: unknown): Envelope {
  const meta = metaOf(params) ?? {};
  const version = meta[META_VERSION];
  if (typeof version !== 'string') throw missing(META_VERSION, 'a protocol version');
  if (!isModernVersion(version)) {
    throw new RpcError(
      McpErrorCode.UnsupportedVersion,
      `unsupported protocol version \`${version}\``,
      {
        supported: [...MODERN_VERSIONS],
        requested: version,
      },
    );
  }
  const capabilities = meta[META_CAPABILITIES];
  if (!isRecord(capabilities)) throw missing(META_CAPABILITIES, 'an object');
  const clientInfo = meta[META_CLIENT_INFO];
  const logLevel = meta[META_LOG_LEVEL];
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw missing(META_LOG_LEVEL, 'a log level');
  return {
    protocolVersion: version,
    clientCapabilities: capabilities,
    clientInfo: isRecord(clientInfo) ? (clientInfo as unknown as Implementation) : undefined,
    logLevel,
  };
}

function missing(key: string, expected: string): RpcError {
  const message = `expected \`params._meta["${key}"]\` to be ${expected}`;
  return new RpcError(ErrorCode.InvalidParams, message, { path: `_meta.${key}` });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
