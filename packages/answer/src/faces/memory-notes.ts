import { type Connection, spawnServer } from 'tincan-wire';
import type { AnswerResult } from '../answer/result.ts';
import type { Environment } from '../config/environment-layer.ts';

/** Writes answers down as notes of a memory server. */
export interface MemoryNotes {
  readonly add: (query: string, result: AnswerResult) => Promise<void>;
  close(): Promise<void>;
}

/** Which memory server, and where in it. */
export interface MemoryNotesOptions {
  readonly command: readonly string[];
  readonly project: string;
  readonly group: string;
  readonly env: Environment;
}

/** The memory server is started with the first note and kept until the end. */
export function createMemoryNotes(options: MemoryNotesOptions): MemoryNotes {
  const { project, group, env } = options;
  const [command = '', ...args] = options.command;
  let server: Promise<Connection> | undefined;
  const connect = (): Promise<Connection> => {
    server ??= spawnServer({ command, args, env, restart: true }).catch((error: unknown) => {
      // The next answer tries again.
      server = undefined;
      throw error;
    });
    return server;
  };
  return {
    async add(query, result) {
      const note = { projectId: project, groupId: group, ...noteOf(query, result) };
      await (await connect()).request('memory.add_note', note);
    },
    async close() {
      await (await server?.catch(() => undefined))?.close();
    },
  };
}

function noteOf(query: string, { answer, citations, model, meta }: AnswerResult): object {
  return {
    title: query.length > 120 ? `${query.slice(0, 119)}…` : query,
    text: `${query}\n\n${answer}`,
    tags: ['answer'],
    source: 'tincan-answer',
    metadata: { model, resolved_model: meta.resolved_model, citations },
  };
}
