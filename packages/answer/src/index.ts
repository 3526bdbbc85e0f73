export type { CacheDirectory } from './answer/answer-cache.ts';
export {
  type Answerer,
  type AnswererDeps,
  type AskOptions,
  createAnswerer,
} from './answer/answerer.ts';
export type { Totals } from './answer/ledger.ts';
export type { ProgressReport } from './answer/progress.ts';
export type { AnswerResult, Citation } from './answer/result.ts';
export { instructions, type ToolDefinition, type ToolName, tools } from './answer/tools.ts';
export { AnswerError, type AnswerErrorKind, errorData } from './answer-error.ts';
export type { Clock } from './clock.ts';
export type { AnswerConfig } from './config/config.ts';
export { ConfigError, type ConfigIssue, describeIssue } from './config/config-error.ts';
export { type ParsedFlags, readFlagLayer } from './config/flag-layer.ts';
export {
  defaultConfigFile,
  type LoadedConfig,
  type LoadOptions,
  loadConfig,
} from './config/load-config.ts';
export { type Setting, settings, variableFor } from './config/settings.ts';
export { renderConfig, type ShownConfig, showConfig } from './config/show-config.ts';
export type { Logger } from './logger.ts';
export { cacheDirectory } from './node-files.ts';
