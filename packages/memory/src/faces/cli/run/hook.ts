import type { NoteView } from '../../../service/notes.ts';
import { visibleJson } from '../../visible-text.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { type CommandIo, print } from '../io.ts';
import { hookContext } from '../render/hook-context.ts';
import { projectOf, repositoryOf } from './project.ts';
import { withMemory } from './with-memory.ts';

/** An agent that keeps the pipe open without writing must not hold its own session up. */
const INPUT_WAIT_MS = 1_000;
const MAX_INPUT_BYTES = 1024 * 1024;
const CONVENTIONS_KEY = 'global.project.conventions';

interface Held {
  readonly found: boolean;
  readonly value: unknown;
  readonly updatedAt: string | null;
}

/** `hook` */
export const runHook: RunCommand = async (args, io) => {
  const event = args.text('project') === undefined ? await readEvent(io) : {};
  const projectId = event.cwd === undefined ? projectOf(args, io) : repositoryOf(event.cwd);
  const context = await withMemory(args, io, async ({ call }) => {
    const conventions = await call<Held>('get_global', { projectId, key: CONVENTIONS_KEY });
    const { items } = await call<{ items: readonly NoteView[] }>('list_recent', {
      projectId,
      limit: args.number('limit'),
    });
    return hookContext(
      {
        projectId: items[0]?.projectId ?? projectId,
        conventions: conventions.found ? conventions : undefined,
        notes: items,
      },
      { maxTokens: args.number('max-tokens') ?? 0 },
    );
  });
  if (args.text('format') === 'json') {
    const hookSpecificOutput = {
      hookEventName: event.name ?? 'SessionStart',
      additionalContext: context,
    };
    await print(io, visibleJson(context === '' ? {} : { hookSpecificOutput }));
  } else if (context !== '') await print(io, context);
  return ExitCode.Ok;
};

interface HookEvent {
  readonly cwd?: string;
  readonly name?: string;
}

/** What the agent says of its session; nothing, where nobody pipes anything in. */
async function readEvent(io: CommandIo): Promise<HookEvent> {
  if (io.isInputTerminal) return {};
  try {
    const { cwd, hook_event_name: name } = JSON.parse(await readBriefly(io.stdin)) as Record<
      string,
      unknown
    >;
    return {
      ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
      ...(typeof name === 'string' ? { name } : {}),
    };
  } catch {
    // Empty or something else than an event: the folder this runs in says enough.
    return {};
  }
}

function readBriefly(stdin: CommandIo['stdin']): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (): void => {
      clearTimeout(timer);
      stdin.off('data', take).off('end', done).off('error', done);
      // An open pipe would keep the process alive.
      stdin.destroy();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const take = (chunk: Buffer | string): void => {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > MAX_INPUT_BYTES || isComplete(chunks)) done();
    };
    const timer = setTimeout(done, INPUT_WAIT_MS);
    stdin.on('data', take).on('end', done).on('error', done);
  });
}

function isComplete(chunks: readonly Buffer[]): boolean {
  try {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return true;
  } catch {
    // More is to come.
    return false;
  }
}
