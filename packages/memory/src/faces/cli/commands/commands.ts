import type { Command } from '../command.ts';
import { noteCommands } from './note-commands.ts';
import { serverCommands } from './server-commands.ts';
import { storeCommands } from './store-commands.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...serverCommands, ...noteCommands, ...storeCommands];
