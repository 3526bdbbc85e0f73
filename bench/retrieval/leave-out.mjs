/**
 * How well weights of search do on conversations they were not chosen by: for each conversation the weights
 * are chosen on the others, one after the other, and judged on it. Needs the sources, which it bundles: the
 * server knows one set of weights.
 *
 *     node bench/retrieval/leave-out.mjs --data <folder of LoCoMo>
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { locomoDialog, locomoObservations } from './data-sets.mjs';
import { recallAt } from './measure.mjs';

const TRIED = {
  words: [0.4, 0.5, 0.6, 0.7, 0.8],
  deviation: [0.05, 0.07, 0.085, 0.1, 0.12],
  likeness: [0.2, 0.3, 0.4, 0.5, 0.6],
  repeated: [0.1, 0.2, 0.25, 0.3, 0.4],
  namedDate: [0.05, 0.1, 0.2, 0.3],
  // Shares of the neighbours' weights in force.
  neighbours: [0.5, 0.75, 1, 1.25],
};

const { values } = parseArgs({ options: { data: { type: 'string', default: '' } } });
const { Memory, loadSettings, openStore, openEmbedder, rankCandidates, timeNamed, WEIGHTS } =
  await bundleSources();
const sets = [
  ['turns', await gather(locomoDialog(values.data))],
  ['observations', await gather(locomoObservations(values.data))],
];
const conversations = new Set(sets[0][1].map(({ conversation }) => conversation));

console.log('left out   turns R@5 / R@10   observations R@5 / R@10   weights chosen on the others');
const all = sets.map(() => []);
for (const left of conversations) {
  const weights = choose((question) => question.conversation !== left);
  const cells = sets.map(([, questions], i) => {
    const judged = judge(questions, weights, ({ conversation }) => conversation === left);
    all[i].push(...judged);
    return shown(judged);
  });
  console.log(`${left}          ${cells.join('        ')}             ${JSON.stringify(weights)}`);
}
console.log(`all        ${all.map(shown).join('        ')}`);
const inForce = sets.map(([, questions]) => shown(judge(questions, WEIGHTS, () => true)));
console.log(`in force   ${inForce.join('        ')}`);

/** The best weights for some questions: each in turn, twice over, from those in force. */
function choose(isMeant) {
  const worth = (weights) =>
    sets.reduce((sum, [, questions]) => {
      const judged = judge(questions, weights, isMeant);
      return sum + mean(judged, 0) + mean(judged, 1);
    }, 0);
  let best = WEIGHTS;
  let bestWorth = worth(best);
  for (const name of [...Object.keys(TRIED), ...Object.keys(TRIED)]) {
    for (const value of TRIED[name]) {
      const changed =
        name === 'neighbours' ? WEIGHTS.neighbours.map((each) => each * value) : value;
      const tried = { ...best, [name]: changed };
      const triedWorth = worth(tried);
      if (triedWorth > bestWorth) [best, bestWorth] = [tried, triedWorth];
    }
  }
  return best;
}

/** Recall among the first five and ten for each question that is meant. */
function judge(questions, weights, isMeant) {
  return questions.filter(isMeant).map(({ found, asked, units, unitOf, keys }) => {
    const ranked = rankCandidates(found, { ...asked, weights, limit: 10 });
    const places = ranked.map(({ note }) => unitOf.get(note.id));
    return [5, 10].map((k) => recallAt(k, places, units, keys));
  });
}

function mean(rows, column) {
  return rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
}

function shown(rows) {
  return [0, 1].map((column) => (100 * mean(rows, column)).toFixed(1)).join(' / ');
}

/** What a search finds out about each question before it ranks. */
async function gather(collections) {
  const home = mkdtempSync(join(tmpdir(), 'tincan-leave-out-'));
  const seen = {};
  const settings = await loadSettings({ env: { TINCAN_HOME: home }, home });
  const memory = new Memory({
    settings,
    home,
    openStore: async (store) => watchStore(await openStore(store), seen),
    openEmbedder: async (embedder) => watchEmbedder(await openEmbedder(embedder), seen),
  });
  try {
    const units = [];
    for (const [i, each] of collections.entries()) units.push(await add(memory, each, `c${i}`));
    // All of them anew, so that samples of the vectors are the same in every run.
    await memory.reindex({ all: true });
    const questions = [];
    for (const [conversation, collection] of collections.entries()) {
      for (const { text, keys } of collection.queries) {
        seen.likeness = undefined;
        await memory.finder.search({ projectId: `c${conversation}`, query: text, topK: 10 });
        const { terms, found, likeness } = seen;
        const asked = { terms, likeness, time: timeNamed(text, Date.now()) };
        const unitOf = units[conversation];
        questions.push({ conversation, found, asked, units: collection.units, unitOf, keys });
      }
    }
    return questions;
  } finally {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function add(memory, { units }, projectId) {
  const unitOf = new Map();
  for (const [unit, { text, groupId, createdAt }] of units.entries()) {
    const { id } = await memory.notes.add({ projectId, groupId, text, createdAt });
    unitOf.set(id, unit);
  }
  return unitOf;
}

function watchStore(store, seen) {
  const { findCandidates } = store;
  store.findCandidates = async (request) => {
    seen.terms = request.terms;
    seen.found = await findCandidates.call(store, request);
    return seen.found;
  };
  return store;
}

/** The first likeness that is asked for is that of the candidates. */
function watchEmbedder(embedder, seen) {
  const { likeness } = embedder;
  embedder.likeness = async (words, texts) => {
    const found = await likeness.call(embedder, words, texts);
    seen.likeness ??= found;
    return found;
  };
  return embedder;
}

async function bundleSources() {
  const memory = new URL('../../packages/memory/', import.meta.url);
  const source = (path) => fileURLToPath(new URL(`src/${path}`, memory));
  const folder = new URL('.tmp/leave-out/', memory);
  const files = {
    memory: 'service/memory.ts',
    settings: 'config/load-settings.ts',
    store: 'store/open-store.ts',
    embedder: 'embed/open-embedder.ts',
    rank: 'search/rank.ts',
    time: 'search/time-words.ts',
  };
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(files).map(([name, path]) => [name, source(path)])),
    external: (id) => !/^[./]/.test(id),
    platform: 'node',
  });
  await bundle.write({ dir: fileURLToPath(folder), format: 'esm', entryFileNames: '[name].js' });
  // Chunks are loaded on the way, so it stays until the end.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const modules = await Promise.all(
    Object.keys(files).map((name) => import(pathToFileURL(fileURLToPath(folder) + `${name}.js`))),
  );
  return Object.assign({}, ...modules);
}
