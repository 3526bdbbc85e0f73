import type { Command, OptionDefinition } from '../command.ts';
import { formatOption } from '../render/format.ts';

/** The project that a command is about. */
export const projectOption: Readonly<Record<'project', OptionDefinition>> = {
  project: {
    type: 'text',
    short: 'p',
    value: 'project',
    description: 'path or name of the project (default: the repository or folder you are in)',
  },
};

const groupOption: OptionDefinition = {
  type: 'text',
  short: 'g',
  value: 'group',
  description: 'only notes of this group',
};
const tagsOption: OptionDefinition = {
  type: 'list',
  value: 'a,b',
  description: 'only notes that have all of these tags',
};

/** Commands on notes. */
export const noteCommands: readonly Command[] = [
  {
    name: 'search',
    summary: 'find notes by words and meaning',
    usage: '[options] <words>…',
    description: ['Prints the notes that fit best, best first; a score of 1 is the closest.'],
    options: {
      ...projectOption,
      group: groupOption,
      'top-k': { type: 'number', short: 'k', value: 'n', default: 5, description: 'most results' },
      tags: tagsOption,
      since: { type: 'text', value: 'time', description: 'only notes of then or later (ISO 8601)' },
      until: { type: 'text', value: 'time', description: 'only notes from before (ISO 8601)' },
      'min-score': {
        type: 'text',
        value: '0–1',
        description:
          'only notes at least this close (default: the best must fit, the rest may follow)',
      },
      'max-tokens': {
        type: 'number',
        value: 'n',
        description: 'cut the answer to about this size',
      },
      mode: {
        type: 'text',
        value: 'way',
        choices: ['lexical', 'vector', 'hybrid', 'context'],
        description: 'what to find notes by (default: context, which is all of it)',
      },
      explain: { type: 'flag', description: 'say why each note was found' },
      stdin: { type: 'flag', description: 'take the first line of stdin as the words' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory search how do we deploy', does: 'in the project you are in' },
      {
        command: 'tincan-memory search -p ~/app -g backend --tags db,decision -k 3 migrations',
        does: 'narrowed to a group and tags',
      },
      {
        command: "tincan-memory search -f json deploy | jq -r '.results[].text'",
        does: 'for a script',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/search.ts')).runSearch,
  },
  {
    name: 'add',
    summary: 'remember a note',
    usage: '[options] <words>…',
    description: [
      'Keys and passwords in the text are taken out unless the configuration says not. A text that the group has already is not added again: the id printed is that of the note there. Notes that say nearly the same are told on stderr.',
    ],
    options: {
      ...projectOption,
      group: { ...groupOption, default: 'global', description: 'group of the note' },
      title: { type: 'text', value: 'title', description: 'title of the note' },
      tags: { ...tagsOption, description: 'tags of the note' },
      source: { type: 'text', value: 'source', description: 'where the note comes from' },
      'created-at': { type: 'text', value: 'time', description: 'ISO 8601 (default: now)' },
      metadata: { type: 'text', value: 'json', description: 'a JSON object kept with the note' },
      stdin: { type: 'flag', description: 'take the text from stdin' },
      ...formatOption,
    },
    examples: [
      {
        command: 'tincan-memory add --tags deploy "Deploys go out on Tuesdays"',
        does: 'a note of the whole project',
      },
      {
        command: 'git log -1 --format=%B | tincan-memory add --stdin -g backend --source git',
        does: 'the text from another program',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/add.ts')).runAdd,
  },
  {
    name: 'list',
    summary: 'list notes, newest first',
    usage: '[options]',
    description: ['A table in a terminal, JSON in a pipe.'],
    options: {
      ...projectOption,
      group: groupOption,
      limit: { type: 'number', short: 'n', value: 'n', default: 10, description: 'most notes' },
      tags: tagsOption,
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory list', does: 'the last ten notes of the project you are in' },
      { command: 'tincan-memory list -p demo -n 100 --tags decision', does: 'more, with a tag' },
    ],
    words: 'none',
    load: async () => (await import('../run/list.ts')).runList,
  },
  {
    name: 'get',
    summary: 'print a note',
    usage: '[options] <id>…',
    description: ['Ids are those that `list` and `search -f json` print.'],
    options: { ...formatOption },
    examples: [
      {
        command: 'tincan-memory get 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11',
        does: 'everything about one note',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/get.ts')).runGet,
  },
  {
    name: 'delete',
    summary: 'delete notes or global values',
    usage: '[options] <id>…',
    description: [
      'A deleted note can be brought back with `restore`; with `--hard` it is erased with its history, and nothing brings it back. Values are gone either way. Exits with 1 if an id is not there.',
    ],
    options: {
      hard: { type: 'flag', description: 'erase for good, history and vectors included' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory delete 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11', does: 'one note' },
      {
        command: 'tincan-memory delete --hard 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11',
        does: 'a note that should never have been written',
      },
      {
        command:
          "tincan-memory list --tags old -f json | jq -r '.items[].id' | xargs tincan-memory delete",
        does: 'every note of a tag',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/delete.ts')).runDelete,
  },
  {
    name: 'history',
    summary: 'list the versions of a note',
    usage: '[options] <id>',
    description: [
      'Newest first, also of a deleted note. A table in a terminal, JSON with every field in a pipe.',
    ],
    options: { ...formatOption },
    examples: [
      {
        command: 'tincan-memory history 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11',
        does: 'what happened to a note, and when',
      },
      {
        command:
          "tincan-memory history 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11 -f json | jq -r '.versions[1].text'",
        does: 'the text before the last change',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/history.ts')).runHistory,
  },
  {
    name: 'restore',
    summary: 'bring back a note, an earlier version of it, or the store from a backup',
    usage: '[options] <id or file>',
    description: [
      'Without `--version` a deleted note comes back as it was. What is restored becomes the newest version; nothing of the history is lost.',
      'With a file instead of an id, the backup in it takes the place of the store. It is checked first, and only read. The store that was there stays beside it under the name that is printed. Stop every server first: while a process has the store open, nothing is replaced.',
    ],
    options: {
      version: { type: 'number', value: 'n', description: 'a version that `history` lists' },
      ...formatOption,
    },
    examples: [
      {
        command: 'tincan-memory restore 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11',
        does: 'a note deleted by mistake',
      },
      {
        command: 'tincan-memory restore 3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11 --version 2',
        does: 'what the note once said',
      },
      { command: 'tincan-memory restore memory.backup', does: 'everything, from a backup' },
    ],
    words: 'any',
    load: async () => (await import('../run/restore.ts')).runRestore,
  },
];
