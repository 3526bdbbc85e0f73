import * as mcp from 'tincan-mcp';
import {
  type Agreement,
  type Caller,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  type ContentBlock,
  connect,
  connectLine,
  type ElicitResult,
  httpLine,
  LATEST_LEGACY,
  LATEST_MODERN,
  type LegacyVersion,
  type ListedTool,
  type McpClient,
  McpErrorCode,
  McpServer,
  type ModernVersion,
  type OpenLine,
  ProtocolError,
  type RequestContext,
  type SchemaProblem,
  type ServerDefinition,
  type Session,
  type StdioServer,
  stdioLine,
  type Tool,
  type ToolAnnotations,
  ToolError,
  validate,
} from 'tincan-mcp';
import * as http from 'tincan-mcp/http';
import {
  bridgeBackend,
  type HttpBackend,
  HttpEnd,
  type HttpEndOptions,
  serverBackend,
} from 'tincan-mcp/http';
import { type MethodTable, type Progress, RpcError, type RunOptions } from 'tincan-wire';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('the public surface', () => {
  it('exports these values and no others', () => {
    expect(Object.keys(mcp).sort()).toEqual([
      'LATEST_LEGACY',
      'LATEST_MODERN',
      'LEGACY_VERSIONS',
      'LOG_LEVELS',
      'MODERN_VERSIONS',
      'McpClient',
      'McpErrorCode',
      'McpServer',
      'ProtocolError',
      'ToolError',
      'connect',
      'connectLine',
      'describeProblems',
      'httpLine',
      'stdioLine',
      'text',
      'validate',
    ]);
    expect(Object.keys(http).sort()).toEqual([
      'AnswerQueue',
      'HttpEnd',
      'HttpListener',
      'TokenFile',
      'bridgeBackend',
      'discardBody',
      'guard',
      'isToken',
      'openHttpStreams',
      'readBody',
      'refuseForeign',
      'sendBodyProblem',
      'serverBackend',
    ]);
  });

  it('asks of a server author a name, a version and nothing else', () => {
    expectTypeOf({ name: 'n', version: '1' }).toExtend<ServerDefinition>();
    expectTypeOf<McpServer['serve']>().parameters.toEqualTypeOf<[(RunOptions | undefined)?]>();
    expectTypeOf<McpServer['serve']>().returns.resolves.toBeNever();
    expectTypeOf<McpServer['session']>().returns.toEqualTypeOf<Session>();
    expectTypeOf<Session>().toExtend<MethodTable>();
    // @ts-expect-error a server has a version
    expect(() => new McpServer({ name: 'n' })).toThrow('expected `version`');
  });

  it('asks of a tool all four annotations, a schema for an object and a handler', () => {
    expectTypeOf<Tool['annotations']>().toEqualTypeOf<ToolAnnotations>();
    expectTypeOf<Tool['inputSchema']['type']>().toEqualTypeOf<'object'>();
    expectTypeOf<Tool['handler']>().parameters.toEqualTypeOf<
      [Readonly<Record<string, unknown>>, RequestContext]
    >();
    expectTypeOf<{ readOnlyHint: true }>().not.toExtend<ToolAnnotations>();
    expectTypeOf<() => Promise<string>>().toExtend<Tool['handler']>();
    expectTypeOf<(args: Readonly<Record<string, unknown>>) => ContentBlock[]>().toExtend<
      Tool['handler']
    >();
  });

  it('tells a handler who asks, and lets it report and ask', () => {
    expectTypeOf<RequestContext['signal']>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<RequestContext['caller']>().toEqualTypeOf<Caller>();
    expectTypeOf<Caller['era']>().toEqualTypeOf<'legacy' | 'modern'>();
    expectTypeOf<RequestContext['progress']>().parameters.toEqualTypeOf<
      [number, (number | undefined)?, (string | undefined)?]
    >();
    expectTypeOf<RequestContext['elicit']>().returns.resolves.toEqualTypeOf<ElicitResult>();
  });

  it('connects: to a command, or over any line', () => {
    expectTypeOf(connect).parameters.toEqualTypeOf<[StdioServer, (ClientOptions | undefined)?]>();
    expectTypeOf(connect).returns.resolves.toEqualTypeOf<McpClient>();
    expectTypeOf(connectLine).parameter(0).toEqualTypeOf<OpenLine>();
    expectTypeOf(httpLine).returns.toEqualTypeOf<OpenLine>();
    expectTypeOf(stdioLine).returns.toEqualTypeOf<OpenLine>();
    expectTypeOf<StdioServer>().not.toHaveProperty('handshake');
    expectTypeOf<ClientOptions['era']>().toEqualTypeOf<'auto' | 'legacy' | 'modern' | undefined>();
  });

  it('gives a client that can be disposed of, with options on every call', () => {
    expectTypeOf<McpClient>().toExtend<AsyncDisposable>();
    expectTypeOf<McpClient['agreement']>().toEqualTypeOf<Agreement>();
    expectTypeOf<Agreement['protocolVersion']>().toEqualTypeOf<LegacyVersion | ModernVersion>();
    expectTypeOf<McpClient['listTools']>().returns.resolves.toEqualTypeOf<ListedTool[]>();
    expectTypeOf<McpClient['callTool']>().parameters.toEqualTypeOf<
      [string, (Readonly<Record<string, unknown>> | undefined)?, (CallOptions | undefined)?]
    >();
    expectTypeOf<McpClient['callTool']>().returns.resolves.toEqualTypeOf<CallResult>();
    expectTypeOf<CallOptions['onProgress']>().toEqualTypeOf<
      ((progress: Progress) => void) | undefined
    >();
    expectTypeOf<CallOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
  });

  it('puts a server or a command behind HTTP', () => {
    expectTypeOf(serverBackend).parameters.toEqualTypeOf<[McpServer]>();
    expectTypeOf(bridgeBackend).parameters.toEqualTypeOf<[StdioServer]>();
    expectTypeOf(HttpEnd).constructorParameters.toEqualTypeOf<
      [HttpBackend, (HttpEndOptions | undefined)?]
    >();
    expectTypeOf<HttpEnd>().toExtend<AsyncDisposable>();
  });

  it('keeps constants as the values they are', () => {
    expectTypeOf(McpErrorCode.UnsupportedVersion).toEqualTypeOf<-32022>();
    expectTypeOf(LATEST_LEGACY).toEqualTypeOf<LegacyVersion>();
    expectTypeOf(LATEST_MODERN).toEqualTypeOf<ModernVersion>();
    expectTypeOf<ModernVersion>().toEqualTypeOf<'2026-07-28'>();
    expectTypeOf(validate).returns.toEqualTypeOf<SchemaProblem[]>();
  });

  it('has errors for the model and errors of the protocol', () => {
    expectTypeOf<ToolError>().toExtend<Error>();
    expectTypeOf<ToolError>().not.toExtend<RpcError>();
    expect(new ProtocolError(-32602, 'no')).toBeInstanceOf(RpcError);
    expect(new ToolError('no')).not.toBeInstanceOf(RpcError);
  });
});
