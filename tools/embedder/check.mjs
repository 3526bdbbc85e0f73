/**
 * Shows that the committed data rebuilds: makes both files anew in a scratch folder and compares.
 *
 *     node tools/embedder/check.mjs            with the teacher vectors that are cached, if any
 *     node tools/embedder/check.mjs --fresh    with none: the teacher reads everything again
 *
 * The bridge has to be identical. The table has to be identical where Node and processor do the same
 * arithmetic, and may differ by rounding elsewhere: see `tolerance`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareTables } from './compare.mjs';
import { cacheFolder } from './recipe.mjs';

const tolerance = { meanCosine: 0.999, widestScale: 0.05 };
const fresh = process.argv.includes('--fresh');
const committed = new URL('../../packages/memory/data/', import.meta.url);
const rebuilt = new URL('rebuilt/', cacheFolder);
rmSync(rebuilt, { recursive: true, force: true });
mkdirSync(rebuilt, { recursive: true });
if (fresh) rmSync(new URL('teacher.cache', cacheFolder), { force: true });

const problems = [];
build('build-bridge.mjs');
build('build-model.mjs');
for (const file of ['japanese/bridge.bin', 'japanese/bridge.json', 'static/vocab.txt']) {
  const same = readFileSync(new URL(file, committed)).equals(readFileSync(new URL(file, rebuilt)));
  console.log(`${file}: ${same ? 'identical' : 'DIFFERENT'}`);
  if (!same) problems.push(file);
}
const { pieces, dim } = JSON.parse(readFileSync(new URL('static/model.json', committed), 'utf8'));
const report = compareTables(readTable(committed), readTable(rebuilt), { pieces, dim });
console.log('static/vectors.i8 and scales.f32:', report);
if (report.meanCosine < tolerance.meanCosine || report.widestScale > tolerance.widestScale) {
  problems.push('static table beyond its tolerance');
}
if (problems.length > 0) {
  console.error(`does not rebuild: ${problems.join(', ')}`);
  process.exit(1);
}

function build(script) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  execFileSync(process.execPath, [path, fileURLToPath(rebuilt)], { stdio: 'inherit' });
}

function readTable(folder) {
  const scales = readFileSync(new URL('static/scales.f32', folder));
  return {
    vectors: new Int8Array(readFileSync(new URL('static/vectors.i8', folder))),
    scales: Float32Array.from({ length: scales.length / 4 }, (_, i) => scales.readFloatLE(i * 4)),
  };
}
