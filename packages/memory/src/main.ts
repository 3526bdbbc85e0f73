#!/usr/bin/env node
import { processIo } from './faces/cli/io.ts';
import { runMemoryCommand } from './faces/cli/run-memory-command.ts';

const abort = new AbortController();
const argv = process.argv.slice(2);
// A reader that goes away, as `head` does, ends the output and is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 3);
});
const isServer = argv[0] === undefined || argv[0] === 'serve' || argv[0].startsWith('-');
// A server sees to its own signals; a command stops between two steps, and at once when asked again.
if (!isServer) {
  process.once('SIGINT', () => {
    abort.abort(new Error('interrupted'));
    process.once('SIGINT', () => process.exit(130));
  });
}
const exitCode = await runMemoryCommand(argv, processIo({ signal: abort.signal }));
// A pipe that stays open must not hold the prompt; what was printed must be out.
process.stdout.write('', () => process.exit(exitCode));
