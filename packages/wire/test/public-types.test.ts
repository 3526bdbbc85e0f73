import type { Readable, Writable } from 'node:stream';
import * as wire from 'tincan-wire';
import {
  type CallContext,
  type Connection,
  type Decoded,
  Dispatcher,
  ErrorCode,
  type Exchange,
  encodeFrame,
  FrameDecoder,
  type HandleOptions,
  type Handler,
  lspDialect,
  type MethodTable,
  mcpDialect,
  type Peer,
  type PeerOptions,
  type ProcessExit,
  ProcessExitedError,
  type Progress,
  type Recorder,
  type Remark,
  type RequestOptions,
  RpcError,
  type RpcId,
  type RpcResponse,
  type RunOptions,
  replayClient,
  replayServer,
  runServer,
  type ServeOptions,
  type SpawnOptions,
  serveStdio,
  spawnServer,
  type Tap,
  type TapRecord,
  TimeoutError,
  WireError,
  type WireErrorCode,
} from 'tincan-wire';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('the public surface', () => {
  it('exports these values and no others', () => {
    expect(Object.keys(wire).sort()).toEqual([
      'DEFAULT_MAX_MESSAGE_BYTES',
      'Dispatcher',
      'ErrorCode',
      'FrameDecoder',
      'FrameWriter',
      'Peer',
      'ProcessExitedError',
      'Recorder',
      'RpcError',
      'StdioClientTransport',
      'StdioServerTransport',
      'TimeoutError',
      'WireError',
      'encodeFrame',
      'exchangesOf',
      'guardStdout',
      'handleMessage',
      'lspDialect',
      'makeFolderSync',
      'mcpDialect',
      'nearestName',
      'readRecording',
      'redactText',
      'redactValue',
      'replayClient',
      'replayServer',
      'runServer',
      'serveStdio',
      'spawnServer',
    ]);
  });

  it('serves: one function for streams, one for the process', () => {
    expectTypeOf(serveStdio).parameters.toEqualTypeOf<[MethodTable, (ServeOptions | undefined)?]>();
    expectTypeOf(serveStdio).returns.resolves.toBeVoid();
    expectTypeOf(runServer).returns.resolves.toBeNever();
    expectTypeOf<ServeOptions['input']>().toEqualTypeOf<Readable | undefined>();
    expectTypeOf<ServeOptions['output']>().toEqualTypeOf<Writable | undefined>();
    expectTypeOf<ServeOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
    expectTypeOf<ServeOptions['framing']>().toEqualTypeOf<'auto' | 'line' | 'header' | undefined>();
    expectTypeOf<RunOptions>().not.toHaveProperty('input');
    expectTypeOf<RunOptions>().toHaveProperty('parentWatchMs');
  });

  it('spawns: a promise of a connection that can be disposed of', () => {
    expectTypeOf(spawnServer).parameter(0).toEqualTypeOf<SpawnOptions>();
    expectTypeOf(spawnServer).returns.resolves.toEqualTypeOf<Connection>();
    expectTypeOf<Connection>().toExtend<AsyncDisposable>();
    expectTypeOf<Connection['request']>().returns.resolves.toBeUnknown();
    expectTypeOf<Connection['notify']>().returns.resolves.toBeVoid();
    expectTypeOf<Connection['close']>().returns.resolves.toBeVoid();
  });

  it('dispatches: bytes or text in, bytes or nothing out', () => {
    expectTypeOf<Dispatcher>().toExtend<MethodTable>();
    expectTypeOf<Dispatcher['handle']>().parameters.toEqualTypeOf<
      [Uint8Array | string, (HandleOptions | undefined)?]
    >();
    expectTypeOf<Dispatcher['handle']>().returns.resolves.toEqualTypeOf<Uint8Array | undefined>();
    expectTypeOf<Dispatcher['method']>().returns.toEqualTypeOf<Dispatcher>();
  });

  it('lets a handler name the type of its params, and be synchronous or not', () => {
    const named = (params: { readonly n: number }): number => params.n;
    const asynchronous = async (_params: unknown, context: CallContext): Promise<RpcId> =>
      context.id ?? null;
    expectTypeOf(named).toExtend<Handler>();
    expectTypeOf(asynchronous).toExtend<Handler>();
    expectTypeOf<() => void>().toExtend<Handler>();
    expectTypeOf<CallContext['id']>().toEqualTypeOf<RpcId | undefined>();
    expectTypeOf<CallContext['signal']>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<CallContext['progress']>().parameters.toEqualTypeOf<[Progress]>();
    // @ts-expect-error a handler is a function
    expect(() => new Dispatcher({ bad: 5 })).toThrow('expected the handler');
  });

  it('has one family of errors, told apart by code', () => {
    for (const type of [RpcError, TimeoutError, ProcessExitedError]) {
      expect(Object.getPrototypeOf(type)).toBe(WireError);
    }
    expectTypeOf<WireError['code']>().toEqualTypeOf<WireErrorCode>();
    expectTypeOf<RpcError['rpcCode']>().toBeNumber();
    expectTypeOf<TimeoutError['clock']>().toEqualTypeOf<'idle' | 'total'>();
    expectTypeOf<ProcessExitedError>().toExtend<ProcessExit>();
    expectTypeOf(ErrorCode.ParseError).toEqualTypeOf<-32700>();
    const narrowed = (error: unknown): number | undefined =>
      error instanceof RpcError ? error.rpcCode : undefined;
    expect(narrowed(new RpcError(7, 'm'))).toBe(7);
  });

  it('takes request options that are all optional', () => {
    expectTypeOf({}).toExtend<RequestOptions>();
    expectTypeOf<RequestOptions['onProgress']>().toEqualTypeOf<
      ((progress: Progress) => void) | undefined
    >();
    expectTypeOf<Peer['request']>().parameters.toEqualTypeOf<
      [string, (object | undefined)?, (RequestOptions | undefined)?]
    >();
    expectTypeOf<Peer['requestMany']>().returns.resolves.toEqualTypeOf<
      PromiseSettledResult<unknown>[]
    >();
    expectTypeOf<PeerOptions['role']>().toEqualTypeOf<'server' | 'client'>();
  });

  it('gives events their types', () => {
    type Listener = Parameters<Peer['on']>;
    expectTypeOf<Listener[0]>().not.toBeNever();
    expectTypeOf<Remark['code']>().toExtend<string>();
    expectTypeOf<RpcResponse>().toHaveProperty('id');
  });

  it('decodes and encodes frames', () => {
    expectTypeOf<FrameDecoder['push']>().returns.toEqualTypeOf<Decoded[]>();
    expectTypeOf(encodeFrame).returns.toBeString();
    const [decoded] = new FrameDecoder().push(Buffer.from(encodeFrame('{}', 'header')));
    expect(decoded).toMatchObject({ kind: 'message', framing: 'header' });
    if (decoded?.kind === 'message') expectTypeOf(decoded.value).toBeUnknown();
  });

  it('taps and replays', () => {
    expectTypeOf<Recorder>().toExtend<Tap>();
    expectTypeOf<Recorder>().toExtend<AsyncDisposable>();
    expectTypeOf<Recorder['records']>().toEqualTypeOf<readonly TapRecord[]>();
    expectTypeOf(replayServer).returns.toEqualTypeOf<MethodTable>();
    expectTypeOf(replayClient).parameter(1).toHaveProperty('request');
    expectTypeOf<Peer>().toExtend<Parameters<typeof replayClient>[1]>();
    expectTypeOf<Connection>().toExtend<Parameters<typeof replayClient>[1]>();
    expectTypeOf<Exchange['method']>().toBeString();
    expectTypeOf(mcpDialect).toEqualTypeOf(lspDialect);
  });
});
