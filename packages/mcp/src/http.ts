export { type AccessOptions, type Refusal, refuse } from './http/access.ts';
export {
  type BackendSession,
  type HttpBackend,
  type ModernBackend,
  serverBackend,
} from './http/backend.ts';
export { bridgeBackend } from './http/bridge.ts';
export { HttpEnd, type HttpEndOptions } from './http/http-end.ts';
export { type HttpServerAddress, type HttpStreams, openHttpStreams } from './http/http-streams.ts';
export { readBody } from './http/read-body.ts';
