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
      'Writes one object per line; its `kind` is `note`, `group` or `value`. Vectors are not exported: `import` computes them again.',
      '`--history` adds every version of each note, deleted notes (`deleted`), revisions of values, and tombstones of erased notes (`erased`, without `--project` only). For a copy of everything, with vectors, use `tincan-memory backup`.',
    ],
    options: {
      project: { ...projectOption.project, description: 'only this project (default: all)' },
      output: {
        type: 'text',
        short: 'o',
        value: 'file',
        description: 'file to write; only its owner can read it (default: stdout)',
      },
      history: { type: 'flag', description: 'add versions, deleted notes and tombstones' },
    },
    examples: [
      { command: 'tincan-memory export -o memory.ndjson', does: 'every note, group and value' },
      {
        command: 'tincan-memory export --history -o memory.ndjson',
        does: 'with earlier versions and deleted notes',
      },
      { command: 'tincan-memory export -p . | gzip > project.ndjson.gz', does: 'one project' },
    ],
    words: 'none',
    load: async () => (await import('../run/export.ts')).runExport,
  },
  {
    name: 'import',
    summary: 'import an export, skipping what exists',
    usage: '[options] [file]…',
    description: [
      'Without a file, or with `-`, reads stdin. A note whose id exists is not changed; for groups and values the newer one wins. Notes that were erased here (`delete --hard`) are skipped and listed, unless you add `--include-erased`. Lines that cannot be imported are reported and skipped; the exit code is then 1.',
    ],
    options: {
      map: {
        type: 'list',
        value: 'from=to',
        description:
          'rename the project `from` to `to` while importing; may be repeated. Notes that exist already do not move',
      },
      'include-erased': { type: 'flag', description: 'also import what was erased here' },
      'dry-run': { type: 'flag', description: 'show what would happen, and change nothing' },
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
      'Copies everything at one moment: notes, groups, values, history, ids and vectors. Servers may keep writing meanwhile. The copy is checked before it gets its name, and only its owner can read it. `tincan-memory restore <file>` restores it.',
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
    summary: 'compute missing embeddings',
    usage: '[options]',
    description: [
      'Embeds the notes that have no vector of the current model, for example after the model changed. A running server does this by itself; search works meanwhile.',
    ],
    options: {
      all: { type: 'flag', description: 'embed every note again' },
      ...formatOption,
    },
    examples: [
      { command: 'tincan-memory reindex', does: 'embed what is missing' },
      { command: 'tincan-memory reindex --all', does: 'embed everything again' },
    ],
    words: 'none',
    load: async () => (await import('../run/reindex.ts')).runReindex,
  },
  {
    name: 'doctor',
    summary: 'check the installation and suggest fixes',
    usage: '[options]',
    description: [
      'Checks Node.js, the SQLite driver, the configuration, permissions, the store and the embedder. The exit code is 1 if a check fails. Nothing is changed.',
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
