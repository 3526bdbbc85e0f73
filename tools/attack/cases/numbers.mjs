// Numbers, times, sizes and counts beyond what a method takes, and at the edge of it.

const note = { projectId: 'numbers', groupId: 'g', text: 'a number of things' };
const search = { projectId: 'numbers', query: 'things' };
const refusedAt = (path) => ({ error: { code: -32602, data: { path } } });
const isFine = { result: {} };

const COUNTS = [-1, -0.5, 1.5, 101, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, -1e308];

const TIMES = [
  'yesterday',
  '',
  ' ',
  '2024',
  '2024-01-15',
  '2024-02-30T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-01-01T24:00:01Z',
  '2024-01-01T00:60:00Z',
  '2024-01-01T00:00:00',
  '2024-01-01T00:00:00+99:00',
  '+275761-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '999999999-01-01T00:00:00Z',
  '1704067200000',
  '0',
  'NaN',
  '2024-01-01T00:00:00Z\0',
  "2024-01-01T00:00:00Z' OR 1=1 --",
  '2024-01-01T00:00:00ZZ',
  '２０２４-01-01T00:00:00Z',
  `2024-01-01T00:00:00.${'1'.repeat(100_000)}Z`,
];

const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const object = (count) => Object.fromEntries(list(count, (index) => [`k${index}`, index]));

const one = (name, method, params, expected) => ({
  name,
  steps: [[method, params]],
  expected: [expected],
});

/** Each with the one answer it must get. */
export const numbers = [
  ...COUNTS.map((topK) =>
    one(`topK ${topK}`, 'memory.search', { ...search, topK }, refusedAt('topK')),
  ),
  ...COUNTS.map((n) => (n === 101 ? 1_001 : n)).map((limit) =>
    one(
      `limit ${limit}`,
      'memory.list_recent',
      { projectId: 'numbers', limit },
      refusedAt('limit'),
    ),
  ),
  ...[-0.1, 1.1, 1e308, -1e308].map((minScore) =>
    one(`minScore ${minScore}`, 'memory.search', { ...search, minScore }, refusedAt('minScore')),
  ),
  ...[0, -1, 1.5, 1e21].map((maxTokens) =>
    one(
      `maxTokens ${maxTokens}`,
      'memory.search',
      { ...search, maxTokens },
      refusedAt('maxTokens'),
    ),
  ),
  ...[0, -1, 1.5, 1e21].map((version) =>
    one(`version ${version}`, 'memory.restore', { id: 'x', version }, refusedAt('version')),
  ),
  ...[-1, 1.5, 2 ** 53].map((ifRevision) =>
    one(
      `ifRevision ${ifRevision}`,
      'memory.upsert_global',
      { projectId: 'p', key: 'global.x', value: 1, ifRevision },
      refusedAt('ifRevision'),
    ),
  ),
  one('topK 0', 'memory.search', { ...search, topK: 0 }, { result: { results: [] } }),
  one('topK 100', 'memory.search', { ...search, topK: 100 }, isFine),
  one('limit 1,000', 'memory.list_recent', { projectId: 'numbers', limit: 1_000 }, isFine),
  one(
    'maxTokens at the limit of integers',
    'memory.search',
    { ...search, maxTokens: 2 ** 53 - 1 },
    isFine,
  ),
  ...TIMES.flatMap((time) => [
    one(
      `the time ${JSON.stringify(time).slice(0, 40)} as createdAt`,
      'memory.add_note',
      { ...note, createdAt: time },
      refusedAt('createdAt'),
    ),
    one(
      `the time ${JSON.stringify(time).slice(0, 40)} as since`,
      'memory.search',
      { ...search, since: time },
      refusedAt('since'),
    ),
  ]),
  one('101 tags', 'memory.add_note', { ...note, tags: list(101, String) }, refusedAt('tags')),
  one(
    '100,000 tags',
    'memory.add_note',
    { ...note, tags: list(100_000, () => 't') },
    refusedAt('tags'),
  ),
  one(
    '100,000 tags of a search',
    'memory.search',
    { ...search, tags: list(100_000, () => 't') },
    refusedAt('tags'),
  ),
  one(
    'a tag of 500,000 characters',
    'memory.search',
    { ...search, tags: ['t'.repeat(500_000)] },
    { result: { results: [] } },
  ),
  one(
    'metadata with 50,000 keys',
    'memory.add_note',
    { ...note, text: 'many keys', metadata: object(50_000) },
    { result: { id: /./ } },
  ),
  one(
    'a value with 50,000 keys',
    'memory.upsert_global',
    { projectId: 'p', key: 'global.big', value: object(50_000) },
    { result: { ok: true } },
  ),
  one(
    'a value of numbers without end',
    'memory.upsert_global',
    { projectId: 'p', key: 'global.max', value: [1e308, -1e308, 5e-324, -0] },
    { result: { ok: true } },
  ),
  one(
    '101 superseded notes',
    'memory.add_note',
    { ...note, text: 's', metadata: { supersedes: list(101, String) } },
    { error: { code: -32602 } },
  ),
  one(
    'a superseded number',
    'memory.add_note',
    { ...note, text: 's', metadata: { supersedes: 7 } },
    { error: { code: -32602 } },
  ),
  one(
    'a superseded prototype',
    'memory.add_note',
    { ...note, text: 's', metadata: { supersedes: { length: 1e9 } } },
    { error: { code: -32602 } },
  ),
  one(
    'a key without its prefix',
    'memory.upsert_global',
    { projectId: 'p', key: '__proto__', value: 1 },
    { error: { code: -32002 } },
  ),
  one(
    'a prefix alone',
    'memory.get_global',
    { projectId: 'p', key: 'global' },
    { error: { code: -32002 } },
  ),
  one(
    'a prototype behind the prefix',
    'memory.get_global',
    { projectId: 'p', key: 'global.__proto__' },
    { result: { found: false } },
  ),
  one('an unknown mode', 'memory.search', { ...search, mode: '__proto__' }, refusedAt('mode')),
  one(
    'an unknown detail',
    'memory.search',
    { ...search, detail: 'constructor' },
    refusedAt('detail'),
  ),
];
