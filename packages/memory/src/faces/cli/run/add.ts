import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { present } from '../render/format.ts';
import { projectOf } from './project.ts';
import { textFrom } from './read-input.ts';
import { withMemory } from './with-memory.ts';

/** How long the note's vector may keep the prompt; a server or `reindex` makes it otherwise. */
const EMBED_WAIT_MS = 3_000;

/** `add` */
export const runAdd: RunCommand = async (args, io) => {
  const isStdin = args.flag('stdin');
  const params = {
    projectId: projectOf(args, io),
    groupId: args.text('group'),
    text: await textFrom(args.words, io, { isStdin, what: 'text' }),
    title: args.text('title'),
    tags: args.list('tags'),
    source: args.text('source'),
    createdAt: args.text('created-at'),
    metadata: metadataFrom(args.text('metadata')),
  };
  await withMemory(args, io, async ({ memory, call }) => {
    const added = await call<{ id: string; redacted?: readonly string[] }>('add_note', params);
    if (added.redacted !== undefined) {
      remark(io, `warning: secrets were taken out of the text (${added.redacted.join(', ')})`);
    }
    await present(args, io, { json: added, text: () => `Added ${added.id}` });
    const signal = AbortSignal.timeout(EMBED_WAIT_MS);
    // The note is safe and found by its words: a model that is away is no failure of this command.
    await memory.reindex({ signal }).catch(() => undefined);
  });
  return ExitCode.Ok;
};

function metadataFrom(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError(`expected \`--metadata\` to be a JSON object: ${reason}`);
  }
}
