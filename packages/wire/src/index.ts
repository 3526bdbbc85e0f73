export {
  ErrorCode,
  type ProcessExit,
  ProcessExitedError,
  RpcError,
  TimeoutError,
  WireError,
  type WireErrorCode,
} from './errors.ts';
export type { Decoded, JunkReason, WarningReason } from './framing/decoded.ts';
export { FrameDecoder, type FrameDecoderOptions } from './framing/frame-decoder.ts';
export { FrameWriter } from './framing/frame-writer.ts';
export { DEFAULT_MAX_MESSAGE_BYTES, encodeFrame, type Framing } from './framing/framing.ts';
export type { CallContext, Handler, Outlet } from './jsonrpc/call.ts';
export {
  type Dialect,
  lspDialect,
  mcpDialect,
  type Progress,
  type ProgressToken,
} from './jsonrpc/dialect.ts';
export { Dispatcher, type HandleOptions, handleMessage } from './jsonrpc/dispatcher.ts';
export type { MethodTable } from './jsonrpc/inbound-calls.ts';
export type {
  RpcErrorObject,
  RpcId,
  RpcNotification,
  RpcParams,
  RpcRequest,
  RpcResponse,
} from './jsonrpc/message.ts';
export type { BatchCall, RequestOptions } from './jsonrpc/outbound-calls.ts';
export {
  type LineOptions,
  Peer,
  type PeerEvents,
  type PeerOptions,
  type Remark,
} from './jsonrpc/peer.ts';
export { nearestName } from './nearest-name.ts';
export type { Connection, ConnectionEvents, ConnectionRequestOptions } from './stdio/connection.ts';
export type { RestartOptions } from './stdio/crash-budget.ts';
export type { EnvPolicy } from './stdio/environment.ts';
export { makeFolderSync } from './stdio/make-folder.ts';
export { type RunOptions, runServer } from './stdio/run-server.ts';
export { type ServeOptions, serveStdio } from './stdio/serve-stdio.ts';
export type { ProcessOptions, ShutdownTimes } from './stdio/server-process.ts';
export { type SpawnOptions, spawnServer } from './stdio/spawn-server.ts';
export { type GuardedStdio, guardStdout } from './stdio/stdout-guard.ts';
export type { TransportOptions } from './stdio/stream-transport.ts';
export { StdioClientTransport, StdioServerTransport } from './stdio/transport.ts';
export { Recorder, type RecorderOptions, type TapRecord } from './tap/recorder.ts';
export { type Exchange, exchangesOf, readRecording } from './tap/recording.ts';
export { redactText, redactValue } from './tap/redact.ts';
export {
  type ReplayDifference,
  type Requester,
  replayClient,
  replayServer,
} from './tap/replay.ts';
export type { Direction, Tap } from './tap/tap.ts';
