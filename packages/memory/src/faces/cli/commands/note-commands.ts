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
    description: ['Prints the best matches first. Scores go from 0 to 1; 1 is the closest match.'],
    options: {
      ...projectOption,
      group: groupOption,
      'top-k': {
        type: 'number',
        short: 'k',
        value: 'n',
        default: 5,
        description: 'maximum number of results',
      },
      tags: tagsOption,
      since: {
        type: 'text',
        value: 'time',
        description: 'only notes created at or after this time (ISO 8601)',
      },
      until: {
        type: 'text',
        value: 'time',
        description: 'only notes created before this time (ISO 8601)',
      },
      'min-score': {
        type: 'text',
        value: '0–1',
        description:
          'only notes with at least this score (default: any; projects of over 1,000 notes withhold weak answers)',
      },
      'max-tokens': {
        type: 'number',
        value: 'n',
        description: 'limit the results to about this many tokens',
      },
      mode: {
        type: 'text',
        value: 'mode',
        choices: ['lexical', 'vector', 'hybrid', 'context'],
        description:
          'how to match: lexical (words), vector (meaning), hybrid (both) or context (both, and nearby notes) [context]',
      },
      explain: { type: 'flag', description: 'show why each note was found' },
      stdin: { type: 'flag', description: 'read the query from the first line of stdin' },
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
    summary: 'save a note',
    usage: '[options] <words>…',
    description: [
      'Keys and passwords in the text are redacted unless the configuration turns that off. If the group already has a note with this text, nothing is added and the id of that note is printed. Similar notes are listed on stderr.',
    ],
    options: {
      ...projectOption,
      group: { ...groupOption, default: 'global', description: 'group of the note' },
      title: { type: 'text', value: 'title', description: 'title of the note' },
      tags: { ...tagsOption, description: 'tags of the note' },
      source: { type: 'text', value: 'source', description: 'where the note comes from' },
      'created-at': { type: 'text', value: 'time', description: 'ISO 8601 (default: now)' },
      metadata: { type: 'text', value: 'json', description: 'a JSON object kept with the note' },
      stdin: { type: 'flag', description: 'read the text from stdin' },
      ...formatOption,
    },
    examples: [
      {
        command: 'tincan-memory add --tags deploy "Deploys go out on Tuesdays"',
        does: 'a note for the whole project',
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
      limit: {
        type: 'number',
        short: 'n',
        value: 'n',
        default: 10,
        description: 'maximum number of notes',
      },
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
    description: ['`list` and `search -f json` print the ids.'],
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
      '`restore` brings a deleted note back. `--hard` erases the note and its history for good. Values cannot be restored. The exit code is 1 if an id does not exist.',
    ],
    options: {
      hard: { type: 'flag', description: 'erase for good, with history and vectors' },
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
        does: 'every note with a tag',
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
      'Prints the newest version first. Works for deleted notes too. A table in a terminal, JSON with every field in a pipe.',
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
      'With the id of a deleted note, the note comes back as it was. `--version` restores an earlier version of a note. The restored text becomes the newest version; the history is kept.',
      'With a file, the backup replaces the store. The backup is checked first and is not changed. The old store is kept under the name that is printed. Stop every server first: a store that is open is not replaced.',
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
