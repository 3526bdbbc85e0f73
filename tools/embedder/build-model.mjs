/** Makes the static model: distilled from the teacher, fitted to its sentences, sharpened on pairs. */
import { fileURLToPath } from 'node:url';
import { contrast } from './contrast.mjs';
import { buildCorpus, buildPairs, readSources } from './corpus.mjs';
import { distil } from './distil.mjs';
import { meanOf, project } from './matrix.mjs';
import { countPieces, WordPiece } from './memory-source.mjs';
import { cacheFolder, outputFolder, recipe } from './recipe.mjs';
import { regress } from './regress.mjs';
import { packages } from './sources.mjs';
import { openTeacher, readTeacherFile, teacherHash } from './teacher.mjs';
import { writeModel } from './write-model.mjs';

const log = (line) => process.stderr.write(`${line}\n`);
const { name, dim, seed, smoothing } = recipe;
const vocabulary = readTeacherFile('vocab.txt');
const words = vocabulary.toString('utf8').trimEnd().split('\n');
const wordPiece = new WordPiece(words);
const teacher = openTeacher(fileURLToPath(new URL('teacher.cache', cacheFolder)), { log });

const { table, axes } = await distil(teacher, { pieces: words.length, dim, smoothing });
const sources = readSources(recipe.corpus);

const corpus = buildCorpus(sources, recipe.corpus);
const vectors = await teacher.embed(
  corpus.map(({ text, limit }) => wordPiece.encode(text).slice(0, limit)),
);
// Sentences lie in a corner of the teacher's space: seen from their own mean they differ most.
const mean = meanOf(vectors);
const sentences = corpus.map(({ text }, i) => ({
  ...piecesOf(text, { isFading: true }),
  target: toUnitLength(project(vectors[i], mean, axes)),
}));
log(`${sentences.length} sentences`);
regress(table, sentences, { dim, seed, ...recipe.regression, log });

const groups = buildPairs(sources).map((pairs) =>
  pairs.map(({ key, query, note }) => ({
    key,
    left: piecesOf(query, { isFading: false }),
    right: piecesOf(note, { isFading: true }),
  })),
);
contrast(table, groups, { dim, seed, ...recipe.contrast, log });

writeModel(new URL('static/', outputFolder()), {
  table,
  pieces: words.length,
  dim,
  vocabulary,
  description: {
    name,
    stage: 'trained',
    seed,
    teacher: { model: 'gte-small', sha256: teacherHash },
    sources: Object.fromEntries(Object.entries(packages).filter(([each]) => each !== 'edict')),
    recipe,
  },
});
log('wrote the static model');

/** A text as the embedder sees it: its pieces, and the root of how often each is there. */
function piecesOf(text, { isFading }) {
  const counts = [...countPieces(text, { wordPiece, bridge: undefined, isFading })];
  return {
    ids: Uint16Array.from(counts, ([piece]) => piece),
    weights: Float32Array.from(counts, ([, count]) => Math.sqrt(count)),
  };
}

function toUnitLength(vector) {
  const norm = Math.hypot(...vector) || 1;
  return vector.map((x) => x / norm);
}
