/**
 * Search quality of one data set, in process: BM25 alone, vectors alone, both fused.
 *
 *     node bench/retrieval/run.mjs locomo-dialog --data <folder of the set> [--weight 0.4]
 */
import { parseArgs } from 'node:util';
import { openLocalEmbedder } from '../../packages/memory/dist/embed/local/open-local.js';
import { buildBm25 } from './bm25.mjs';
import { cosqa, japaneseNotes, jsquad, locomoDialog, locomoObservations } from './data-sets.mjs';
import { fuse, rank, recallAt, reciprocalRank } from './measure.mjs';

const sets = {
  'locomo-dialog': locomoDialog,
  'locomo-observations': locomoObservations,
  jsquad,
  cosqa,
  'ja-paraphrase': () => japaneseNotes('paraphrase'),
  'ja-english': () => japaneseNotes('english'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: '' },
    weight: { type: 'string', default: '0.4' },
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const load = sets[name];
if (load === undefined) {
  console.error(`expected a data set of \`${Object.keys(sets).join('`, `')}\`, got \`${name}\``);
  process.exit(2);
}

const weight = Number(values.weight);
const embedder = await openLocalEmbedder(
  values.folder === undefined ? {} : { folder: new URL(values.folder, `file://${process.cwd()}/`) },
);
const rows = { bm25: [], vector: [], fused: [] };
for (const { units, queries } of load(values.data)) {
  const texts = units.map((unit) => unit.text);
  const bm25 = buildBm25(texts);
  const notes = await embedder.embed(texts, { kind: 'note' });
  const asked = await embedder.embed(
    queries.map((query) => query.text),
    { kind: 'query' },
  );
  queries.forEach((query, i) => {
    const { scores, ideal } = bm25.score(query.text);
    const cosines = notes.map((note) => dot(note, asked[i]));
    const rankings = { bm25: scores, vector: cosines, fused: fuse(scores, ideal, cosines, weight) };
    for (const [stage, stageScores] of Object.entries(rankings)) {
      const ranked = rank(stageScores);
      rows[stage].push([
        ...[1, 5, 10, 20].map((k) => recallAt(k, ranked, units, query.keys)),
        reciprocalRank(ranked, units, query.keys),
      ]);
    }
  });
}
await embedder.close();

const figures = Object.entries(rows).map(([stage, list]) => [
  stage,
  ...[0, 1, 2, 3, 4].map((c) => (100 * list.reduce((sum, row) => sum + row[c], 0)) / list.length),
]);
if (values.json) console.log(JSON.stringify({ set: name, weight, model: embedder.model, figures }));
else {
  console.log(`${name}, ${rows.bm25.length} queries, ${embedder.model}, weight ${weight}`);
  console.log('stage      R@1    R@5   R@10   R@20    MRR');
  for (const [stage, ...numbers] of figures) {
    console.log(stage.padEnd(8) + numbers.map((x) => x.toFixed(1).padStart(7)).join(''));
  }
}

function dot(a, b) {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d];
  return sum;
}
