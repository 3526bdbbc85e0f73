import { seededRandom } from './matrix.mjs';

/**
 * Fits the table to sentences: the weighted sum of a sentence's rows should point where the teacher's
 * vector points. Gradient steps on 1 − cosine, one sentence at a time in a seeded order; a row's steps
 * shorten with all it has moved before (Adagrad by rows), so that rare pieces learn as well as common ones.
 */
export function regress(table, sentences, { dim, seed, epochs, rate, log = () => {} }) {
  const random = seededRandom(seed);
  const squares = new Float64Array(table.length / dim);
  const sum = new Float64Array(dim);
  const order = Uint32Array.from(sentences.keys());
  for (let epoch = 1; epoch <= epochs; epoch++) {
    shuffle(order, random);
    let total = 0;
    for (const index of order) {
      const { ids, weights, target } = sentences[index];
      const { cosine, norm } = compare(table, sentences[index], sum);
      total += cosine;
      if (norm < 1e-9) continue;
      const steepness = toGradient(sum, { target, cosine, norm });
      for (let k = 0; k < ids.length; k++) {
        const id = ids[k];
        const weight = weights[k];
        squares[id] += weight * weight * steepness;
        const step = (rate * weight) / (Math.sqrt(squares[id]) + 1e-6);
        for (let d = 0, at = id * dim; d < dim; d++, at++) table[at] += step * sum[d];
      }
    }
    log(`epoch ${epoch}: mean cosine ${(total / sentences.length).toFixed(4)}`);
  }
}

/** Leaves the sentence's sum of rows in `sum`. */
function compare(table, { ids, weights, target }, sum) {
  const dim = sum.length;
  sum.fill(0);
  for (let k = 0; k < ids.length; k++) {
    const weight = weights[k];
    for (let d = 0, at = ids[k] * dim; d < dim; d++, at++) sum[d] += weight * table[at];
  }
  let squared = 0;
  let dot = 0;
  for (let d = 0; d < dim; d++) {
    squared += sum[d] * sum[d];
    dot += sum[d] * target[d];
  }
  const norm = Math.sqrt(squared);
  return { cosine: norm < 1e-9 ? 0 : dot / norm, norm };
}

/** Turns the sum into the direction in which its cosine rises; gives the square of its length. */
function toGradient(sum, { target, cosine, norm }) {
  let squared = 0;
  for (let d = 0; d < sum.length; d++) {
    sum[d] = (target[d] - (cosine * sum[d]) / norm) / norm;
    squared += sum[d] * sum[d];
  }
  return squared;
}

function shuffle(order, random) {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
}
