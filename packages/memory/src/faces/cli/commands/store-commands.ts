import type { Command } from '../command.ts';
import { formatOption } from '../render/format.ts';
import { projectOption } from './note-commands.ts';

/** Commands on the store as a whole. */
export const storeCommands: readonly Command[] = [
  {
    name: 'export',
    summary: 'write notes, groups and values as lines of JSON',
    usage: '[options]',
    description: [
      'One object a line, `kind` says which: `note`, `group` or `value`. Vectors are not exported: they are computed again where the notes arrive.',
      '`--history` adds every version of each note, deleted notes (`deleted`), revisions of values, and tombstones of erased notes (`erased`, without `--project` only). A copy of everything, vectors included, is `tincan-memory backup`.',
    ],
    options: {
      project: { ...projectOption.project, description: 'only this project (default: all)' },
      output: {
        type: 'text',
        short: 'o',
        value: 'file',
        description: 'file to write, for its owner alone (default: stdout)',
      },
      history: { type: 'flag', description: 'add versions, deleted notes and tombstones' },
    },
    examples: [
      { command: 'tincan-memory export -o memory.ndjson', does: 'every note, group and value' },
      {
        command: 'tincan-memory export --history -o memory.ndjson',
        does: 'with everything that notes were before',
      },
      { command: 'tincan-memory export -p . | gzip > project.ndjson.gz', does: 'one project' },
    ],
    words: 'none',
    load: async () => (await import('../run/export.ts')).runExport,
  },
  {
    name: 'import',
    summary: 'take an export back, nothing twice',
    usage: '[options] [file]…',
    description: [
      'Without a file, or with `-`, reads stdin. A note whose id is there stays as it is; of a group or value the newer one wins. What was erased here (`delete --hard`) is left out and named, unless you add `--include-erased`. A line that cannot be taken is reported and the rest goes on; the exit code is then 1.',
    ],
    options: {
      map: {
        type: 'list',
        value: 'from=to',
        description:
          'rename project `from` of another store to `to`; repeatable; moves nothing within a store',
      },
      'include-erased': { type: 'flag', description: 'take what was erased here too' },
      'dry-run': { type: 'flag', description: 'only say what would happen' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory import memory.ndjson', does: 'merge an export' },
      {
        command: 'tincan-memory import --map /home/old/app=/home/new/app memory.ndjson',
        does: 'from a machine where the project had another path',
      },
      { command: 'gunzip -c project.ndjson.gz | tincan-memory import', does: 'from a pipe' },
    ],
    words: 'any',
    load: async () => (await import('../run/import.ts')).runImport,
  },
  {
    name: 'backup',
    summary: 'save a copy of the whole store in a file',
    usage: '[options] <file>',
    description: [
      'The copy is of one moment and holds everything: notes, groups, values, history, ids and vectors. Servers may go on writing meanwhile. It is checked before it gets its name, and only its owner can read it. `tincan-memory restore <file>` puts it back.',
    ],
    options: {
      force: { type: 'flag', description: 'replace the file if it exists' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory backup memory.backup', does: 'save everything' },
      {
        command: 'tincan-memory backup --force ~/backups/memory-$(date +%u).backup',
        does: 'one file for each day of the week',
      },
    ],
    words: 'any',
    load: async () => (await import('../run/backup.ts')).runBackup,
  },
  {
    name: 'reindex',
    summary: 'give notes their vectors',
    usage: '[options]',
    description: [
      'Embeds the notes that have no vector of the model in force, as after a change of the model. A running server does this by itself; search works throughout.',
    ],
    options: {
      all: { type: 'flag', description: 'every note anew' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory reindex', does: 'what is missing' },
      { command: 'tincan-memory reindex --all', does: 'everything' },
    ],
    words: 'none',
    load: async () => (await import('../run/reindex.ts')).runReindex,
  },
  {
    name: 'doctor',
    summary: 'check the installation and say the way out',
    usage: '[options]',
    description: [
      'Looks at Node.js, the SQLite driver, the configuration, permissions, the store and the embedder. Exits with 1 if something fails. Nothing is changed.',
    ],
    options: { ...formatOption },
    examples: [
      { command: 'tincan-memory doctor', does: 'a report' },
      { command: 'tincan-memory doctor -f json', does: 'for a script' },
    ],
    words: 'none',
    load: async () => (await import('../run/doctor.ts')).runDoctor,
  },
];
