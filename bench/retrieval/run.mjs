/**
 * Search quality of one data set, through the real server over stdio: words alone, vectors alone, both fused,
 * and fused with the notes around each.
 *
 *     node bench/retrieval/run.mjs locomo-dialog --data <folder of the set>
 */
import { parseArgs } from 'node:util';
import { buildBm25 } from './bm25.mjs';
import { cosqa, japaneseNotes, jsquad, locomoDialog, locomoObservations } from './data-sets.mjs';
import { rank, recallAt, reciprocalRank } from './measure.mjs';
import { startMemory } from './server.mjs';

const sets = {
  'locomo-dialog': locomoDialog,
  'locomo-observations': locomoObservations,
  jsquad,
  cosqa,
  'ja-paraphrase': () => japaneseNotes('paraphrase'),
  'ja-english': () => japaneseNotes('english'),
};
const MODES = ['lexical', 'vector', 'hybrid', 'context'];
const DEPTH = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const load = sets[name];
if (load === undefined) {
  console.error(`expected a data set of \`${Object.keys(sets).join('`, `')}\`, got \`${name}\``);
  process.exit(2);
}

const collections = load(values.data).map((each, i) => ({ ...each, projectId: `${name}-${i}` }));
const rows = Object.fromEntries(['plain BM25', ...MODES].map((stage) => [stage, []]));
const memory = await startMemory();
try {
  // All of them are there before the first question: a store holds many projects.
  for (const collection of collections) collection.unitOf = await add(collection);
  memory.fill();
  for (const collection of collections) await ask(collection);
} finally {
  await memory.close();
}

/** Adds the units of a collection; the unit of each id they got. */
async function add({ projectId, units }) {
  const ids = await memory.add(
    units.map(({ text, groupId = 'notes', createdAt }) => ({
      projectId,
      groupId,
      text,
      ...(createdAt === undefined ? {} : { createdAt }),
    })),
  );
  return new Map(ids.map((id, unit) => [id, unit]));
}

async function ask({ projectId, units, queries, unitOf }) {
  const plain = buildBm25(units.map(({ text }) => text));
  for (const { text, keys } of queries) {
    const judge = (stage, ranked) =>
      rows[stage].push([
        ...[1, 5, 10, 20].map((k) => recallAt(k, ranked, units, keys)),
        reciprocalRank(ranked, units, keys),
      ]);
    judge('plain BM25', rank(plain.score(text).scores));
    for (const mode of MODES) {
      const params = { projectId, query: text, topK: DEPTH, minScore: 0, detail: 'ids', mode };
      const { results } = await memory.call('search', params);
      judge(
        mode,
        results.map(({ id }) => unitOf.get(id)),
      );
    }
  }
}

const figures = Object.entries(rows).map(([stage, list]) => [
  stage,
  ...[0, 1, 2, 3, 4].map((c) => (100 * list.reduce((sum, row) => sum + row[c], 0)) / list.length),
]);
if (values.json) console.log(JSON.stringify({ set: name, figures }));
else {
  console.log(`${name}, ${rows.lexical.length} queries`);
  console.log('stage           R@1    R@5   R@10   R@20    MRR');
  for (const [stage, ...numbers] of figures) {
    console.log(stage.padEnd(12) + numbers.map((x) => x.toFixed(1).padStart(7)).join(''));
  }
}
