import { processIo } from './command/io.ts';
import { runCommand } from './command/run-command.ts';

void run();

async function run(): Promise<void> {
  const io = processIo();
  // A reader that goes away, as `head` does, ends the output and is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 3);
  });
  const exitCode = await runCommand(process.argv.slice(2), io);
  // Timers and pipes of a server that is gone must not hold the prompt; what was printed must be out.
  if (exitCode !== undefined) process.stdout.write('', () => process.exit(exitCode));
}
