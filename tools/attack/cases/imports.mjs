// Files for `tincan-memory import` that came from somebody else.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from '../commands.mjs';
import { oneOf } from '../expectation.mjs';
import { MEMORY } from '../programs.mjs';

const CANARY = '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11';
const note = (more = {}) => ({
  kind: 'note',
  projectId: 'imports',
  groupId: 'g',
  text: 'imported',
  ...more,
});
const line = (value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);

/** A line is refused: the command fails, says which line, and shows neither a trace nor raw escapes. */
const refused = { code: 1, hasTrace: false, hasEscape: false, canary: 'the canary sings' };
/** The file is taken. */
const taken = { ...refused, code: 0 };
/** The file cannot be read at all. */
const unreadable = { ...refused, code: oneOf(1, 2, 3) };

const WRONG = [7, true, [], {}, null];

const LINES = {
  garbage: ['not json', refused],
  'bytes that are not UTF-8': [Buffer.from([0xff, 0xfe, 0x7b, 0x22, 0x0a]), refused],
  UTF16: [Buffer.from(line(note()), 'utf16le'), refused],
  'a byte order mark': [`\ufeff${line(note())}`, taken],
  'an empty file': ['', taken],
  'blank lines': ['\n\n\r\n', taken],
  'half a line': ['{"kind":"note","projectId":"p"', refused],
  'a list': [line([note()]), refused],
  'a number': ['7\n', refused],
  'an unknown kind': [line({ kind: '__proto__', text: 'x' }), refused],
  'a prototype as a record': [
    '{"__proto__":{"kind":"note","projectId":"p","groupId":"g","text":"x"}}\n',
    refused,
  ],
  'escapes in a kind': [line({ kind: '\x1b[2J\x1b]0;owned\x07' }), refused],
  'escapes in a group': [line(note({ groupId: '\x1b[31mred\x9b0m' })), refused],
  'escapes in a broken line': ['{"kind":"\x1b[2Jnote"\n', refused],
  'a path as a group': [line(note({ groupId: '../../etc' })), refused],
  'a time that is none': [line(note({ createdAt: '2024-99-99T00:00:00Z' })), refused],
  'an id of the canary with another text': [
    line(note({ id: CANARY, projectId: 'canary', text: 'the cat ate the canary' })),
    taken,
  ],
  'a group with the id of the canary': [
    line({ kind: 'group', id: CANARY, projectId: 'canary', groupKey: 'x', title: 'x' }),
    unreadableOrTaken(),
  ],
  'an id that is SQL': [line(note({ id: "x'; DROP TABLE note; --" })), unreadableOrTaken()],
  '5,000 arrays as a value': [
    `{"kind":"value","projectId":"p","key":"global.x","value":${nested(5_000)}}\n`,
    refused,
  ],
  '100,000 arrays': [`${nested(100_000)}\n`, refused],
  '1,000,000 openings': ['['.repeat(1_000_000), refused],
  'a key without its prefix': [
    line({ kind: 'value', projectId: 'p', key: '__proto__', value: 1 }),
    refused,
  ],
  'NUL in a project': [line(note({ projectId: '/a\0b' })), refused],
  'a project of 40 KB': [line(note({ projectId: '/a'.repeat(20_000) })), refused],
  'metadata with a prototype': [
    '{"kind":"note","projectId":"p","groupId":"g","text":"x","metadata":{"__proto__":{"polluted":true}}}\n',
    taken,
  ],
  '10,000 broken lines': ['{\n'.repeat(10_000), refused],
  'a good line behind bad ones': [`{\n[\n${line(note({ text: 'behind' }))}`, refused],
  ...Object.fromEntries(
    ['text', 'projectId', 'groupId'].flatMap((field) =>
      WRONG.map((value) => [
        `${JSON.stringify(value)} as ${field}`,
        [line(note({ [field]: value })), refused],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['tags', 'metadata', 'createdAt', 'title'].flatMap((field) =>
      [7, true].map((value) => [
        `${JSON.stringify(value)} as ${field}`,
        [line(note({ [field]: value })), refused],
      ]),
    ),
  ),
};

function unreadableOrTaken() {
  return { ...refused, code: oneOf(0, 1) };
}

export const imports = [
  ...Object.entries(LINES).map(([name, [content, expected]], index) => ({
    name,
    isQuick: index % 6 === 0,
    content,
    expected,
  })),
  {
    name: 'a line of 64 MiB',
    isQuick: false,
    content: () => Buffer.alloc(64 * 2 ** 20, 0x78),
    expected: refused,
  },
  {
    name: 'a line of 600 MiB',
    isQuick: false,
    content: () => Buffer.alloc(600 * 2 ** 20, 0x78),
    expected: refused,
  },
  { name: 'no file', file: () => 'no-such-file', expected: unreadable },
  { name: 'a folder', file: (home) => home, expected: unreadable },
  { name: 'a database', file: (home) => join(home, 'data', 'memory.db'), expected: unreadable },
];

/** A home whose store holds the canary. */
export function openImports() {
  return Bench.open(async (bench) => {
    const file = join(bench.home, 'canary.jsonl');
    writeFileSync(file, line(note({ id: CANARY, projectId: 'canary', text: 'the canary sings' })));
    await bench.run(MEMORY, ['import', file]);
  });
}

export async function playImport(bench, { content, file }) {
  const path = file?.(bench.home) ?? join(bench.home, 'hostile.jsonl');
  if (file === undefined) writeFileSync(path, typeof content === 'function' ? content() : content);
  const outcome = await bench.run(MEMORY, ['import', path]);
  const got = await bench.run(MEMORY, ['get', CANARY, '-f', 'json']);
  const shown = outcome.stderr.slice(0, 300);
  return { ...outcome, shown, canary: got.code === 0 ? JSON.parse(got.stdout).text : got.stderr };
}
