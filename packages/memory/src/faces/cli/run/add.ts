import type { SimilarNote } from '../../../service/duplicates.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { present } from '../render/format.ts';
import { embedSoon } from './embed-soon.ts';
import { projectOf } from './project.ts';
import { textFrom } from './read-input.ts';
import { withMemory } from './with-memory.ts';

interface Added {
  readonly id: string;
  readonly redacted?: readonly string[];
  readonly duplicate?: boolean;
  readonly similar?: readonly SimilarNote[];
}

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
    const added = await call<Added>('add_note', params);
    if (added.redacted !== undefined) {
      remark(io, `warning: secrets in the text were redacted (${added.redacted.join(', ')})`);
    }
    for (const { id, score } of added.similar ?? []) {
      remark(io, `similar: ${id} (score: ${score.toFixed(2)})`);
    }
    const done = added.duplicate === true ? 'Already there:' : 'Added';
    await present(args, io, { json: added, text: () => `${done} ${added.id}` });
    await embedSoon(memory);
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
