export { type LoadOptions, loadSettings } from './config/load-settings.ts';
export type {
  HttpSettings,
  SecretPolicy,
  Settings,
  StoreSettings,
  Toolset,
  ToolsetSettings,
} from './config/settings.ts';
export type { Embedder, EmbedOptions } from './embed/embedder.ts';
export type { EmbedderSettings } from './embed/embedder-settings.ts';
export { MemoryError, type MemoryErrorCode, RpcCode, toRpcError } from './errors.ts';
export { callMethod } from './methods/call-method.ts';
export type { Annotations, Method, ToolForm } from './methods/method.ts';
export { findMethod, methods } from './methods/methods.ts';
export { toolInputSchema, toolName } from './methods/tool-schema.ts';
export { RpcError } from './rpc-error.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export type { CallContext } from './service/context.ts';
export { STANDARD_KEYS } from './service/global-values.ts';
export { Memory, type MemoryOptions } from './service/memory.ts';
export type { Group, Note } from './store/note.ts';
export type { Store } from './store/store.ts';
