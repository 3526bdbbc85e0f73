import { isatty } from 'node:tty';
import { loadSettings } from './config/load-settings.ts';
import { serveMemory } from './faces/serve.ts';

const argv = process.argv.slice(2);
void serveAtOnce().then((isServed) => (isServed ? undefined : runCommand()));

/** What agents start and wait for, on stdio and without options: nothing of the commands is loaded for it. */
async function serveAtOnce(): Promise<boolean> {
  const isPlain = argv.length === 0 || (argv.length === 1 && argv[0] === 'serve');
  if (!isPlain || isatty(0)) return false;
  // A mistake in the configuration is told by the command, which meets it again.
  const settings = await loadSettings({ env: process.env }).catch(() => undefined);
  if (settings?.transportDefaults.defaultTransport !== 'stdio') return false;
  await serveMemory(settings, { transport: 'stdio' });
  return true;
}

async function runCommand(): Promise<void> {
  const [{ processIo }, { runMemoryCommand }] = await Promise.all([
    import('./faces/cli/io.ts'),
    import('./faces/cli/run-memory-command.ts'),
  ]);
  // A reader that goes away, as `head` does, ends the output and is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 3);
  });
  const abort = new AbortController();
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
}
