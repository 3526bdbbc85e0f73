export { type CommandIo, processIo } from './faces/cli/io.ts';
export { runMemoryCommand } from './faces/cli/run-memory-command.ts';
