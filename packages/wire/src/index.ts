export { ErrorCode, RpcError, WireError } from './errors.ts';
export { Dispatcher } from './jsonrpc/dispatcher.ts';
export { Peer } from './jsonrpc/peer.ts';
export { runServer } from './stdio/run-server.ts';
export { serveStdio } from './stdio/serve-stdio.ts';
export { guardStdout } from './stdio/stdout-guard.ts';
