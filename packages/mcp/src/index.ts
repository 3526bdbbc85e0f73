export { type ClientOptions, connect, connectLine } from './client/connect.ts';
export { httpLine } from './client/http-line.ts';
export type { InputHandlers } from './client/input-handlers.ts';
export type { Line, OpenLine } from './client/line.ts';
export {
  type CallOptions,
  type CallResult,
  type Listed,
  type ListedTool,
  McpClient,
} from './client/mcp-client.ts';
export type { Agreement } from './client/negotiate.ts';
export { type StdioServer, stdioLine } from './client/stdio-line.ts';
export type {
  ClientCapabilities,
  Implementation,
  ServerCapabilities,
} from './protocol/capabilities.ts';
export type {
  Annotations,
  ContentBlock,
  EmbeddedResource,
  MediaContent,
  PromptMessage,
  ResourceContents,
  ResourceLink,
  TextContent,
} from './protocol/content.ts';
export { text } from './protocol/content.ts';
export { McpErrorCode } from './protocol/error-codes.ts';
export { LOG_LEVELS, type LogLevel } from './protocol/logging.ts';
export {
  LATEST_LEGACY,
  LATEST_MODERN,
  LEGACY_VERSIONS,
  type LegacyVersion,
  MODERN_VERSIONS,
  type ModernVersion,
} from './protocol/revisions.ts';
export type { JsonSchema, ObjectSchema } from './schema/json-schema.ts';
export { type SchemaProblem, validate } from './schema/validate.ts';
export type {
  Completer,
  Prompt,
  PromptOutput,
  Resource,
  ResourcePage,
  ResourceTemplate,
  ServerDefinition,
  Tool,
  ToolAnnotations,
  ToolErrorPolicy,
  ToolOutput,
} from './server/definition.ts';
export type { ElicitResult, InputRequest } from './server/input-required.ts';
export { McpServer } from './server/mcp-server.ts';
export type { Caller, RequestContext } from './server/request-context.ts';
export type { Session } from './server/session.ts';
export type { ListName } from './server/subscriptions.ts';
export { ProtocolError, ToolError } from './server/tool-error.ts';
export { describeProblems, type ToolResult } from './server/tools.ts';
