export { type AccessOptions, isToken, type Refusal, refuseForeign } from './http/access.ts';
export { AnswerQueue, type AnswerQueueOptions } from './http/answer-queue.ts';
export {
  type BackendSession,
  type HttpBackend,
  type ModernBackend,
  serverBackend,
} from './http/backend.ts';
export { bridgeBackend } from './http/bridge.ts';
export { guard } from './http/guard.ts';
export { HttpEnd, type HttpEndOptions } from './http/http-end.ts';
export { HttpListener } from './http/http-listener.ts';
export { type HttpServerAddress, type HttpStreams, openHttpStreams } from './http/http-streams.ts';
export {
  type BodyProblem,
  discardBody,
  type ReadBodyOptions,
  readBody,
  sendBodyProblem,
} from './http/read-body.ts';
export { TokenFile } from './http/token-file.ts';
