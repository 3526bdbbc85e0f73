import { ErrorCode, RpcError, WireError } from 'tincan-wire';
import type {
  ClientCapabilities,
  Implementation,
  ServerCapabilities,
} from '../protocol/capabilities.ts';
import {
  META_CAPABILITIES,
  META_CLIENT_INFO,
  META_SERVER_INFO,
  META_VERSION,
  metaOf,
} from '../protocol/envelope.ts';
import { McpErrorCode } from '../protocol/error-codes.ts';
import {
  LATEST_LEGACY,
  LATEST_MODERN,
  LEGACY_VERSIONS,
  type LegacyVersion,
  MODERN_VERSIONS,
  type ModernVersion,
} from '../protocol/revisions.ts';
import type { Line } from './line.ts';

/** What is known of a server once it is agreed how to talk to it. */
export interface Agreement {
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: LegacyVersion | ModernVersion;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** What a client says of itself. */
export interface ClientIdentity {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
}

/** Errors that only a modern server sends: it must not be asked to shake hands. */
const MODERN_ERRORS: readonly number[] = [
  McpErrorCode.UnsupportedVersion,
  McpErrorCode.MissingClientCapability,
  McpErrorCode.HeaderMismatch,
];

/** The envelope of a modern request. */
export function envelopeOf({ clientInfo, capabilities }: ClientIdentity, version: string): object {
  return {
    [META_VERSION]: version,
    [META_CLIENT_INFO]: clientInfo,
    [META_CAPABILITIES]: capabilities,
  };
}

/**
 * Asks a server whether it is a modern one. Returns undefined when it is not: any other error than the
 * modern ones, or no answer in time, means a legacy server.
 */
export async function discover(
  line: Line,
  identity: ClientIdentity,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Agreement | undefined> {
  try {
    return await discoverAt(line, identity, LATEST_MODERN, options);
  } catch (error) {
    if (error instanceof RpcError && MODERN_ERRORS.includes(error.rpcCode)) {
      const supported = supportedBy(error);
      const version = MODERN_VERSIONS.find((known) => supported.includes(known));
      if (version !== undefined) return discoverAt(line, identity, version, options);
      throw error;
    }
    if (error instanceof RpcError || (error instanceof WireError && error.code === 'TIMEOUT'))
      return undefined;
    throw error;
  }
}

async function discoverAt(
  line: Line,
  identity: ClientIdentity,
  protocolVersion: ModernVersion,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Agreement | undefined> {
  const _meta = envelopeOf(identity, protocolVersion);
  const result = await line.request(
    'server/discover',
    { _meta },
    { ...options, notifyCancel: false },
  );
  const { supportedVersions, capabilities, instructions } = (result ?? {}) as {
    supportedVersions?: unknown;
    capabilities?: ServerCapabilities;
    instructions?: string;
  };
  if (!Array.isArray(supportedVersions)) return undefined;
  const version = MODERN_VERSIONS.find((known) => supportedVersions.includes(known));
  if (version === undefined) {
    // Described in the new way, spoken to in the old one.
    if (LEGACY_VERSIONS.some((known) => supportedVersions.includes(known))) return undefined;
    const offered = supportedVersions.join(', ');
    throw new WireError('PARSE', `no protocol version in common: the server speaks ${offered}`);
  }
  const serverInfo = metaOf(result)?.[META_SERVER_INFO] as Implementation | undefined;
  return {
    era: 'modern',
    protocolVersion: version,
    capabilities: capabilities ?? {},
    serverInfo,
    instructions,
  };
}

/** What is taken for granted of a server that is known to be modern and does not describe itself. */
export const ASSUMED_MODERN: Agreement = {
  era: 'modern',
  protocolVersion: LATEST_MODERN,
  capabilities: {},
  serverInfo: undefined,
  instructions: undefined,
};

/** The handshake of the legacy era. */
export async function initialize(
  line: Line,
  { clientInfo, capabilities }: ClientIdentity,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Agreement> {
  const params = { protocolVersion: LATEST_LEGACY, capabilities, clientInfo };
  const result = (await line.request('initialize', params, {
    ...options,
    notifyCancel: false,
  })) as {
    protocolVersion?: unknown;
    capabilities?: ServerCapabilities;
    serverInfo?: Implementation;
    instructions?: string;
  } | null;
  const version = LEGACY_VERSIONS.find((known) => known === result?.protocolVersion);
  if (result === null || version === undefined) {
    const answered = String(result?.protocolVersion);
    throw new WireError(
      'PARSE',
      `no protocol version in common: the server answered \`${answered}\``,
    );
  }
  await line.notify('notifications/initialized');
  return {
    era: 'legacy',
    protocolVersion: version,
    capabilities: result.capabilities ?? {},
    serverInfo: result.serverInfo,
    instructions: result.instructions,
  };
}

function supportedBy({ data, rpcCode }: RpcError): readonly unknown[] {
  const supported: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'supported') : [];
  return rpcCode === ErrorCode.InvalidParams || !Array.isArray(supported) ? [] : supported;
}
