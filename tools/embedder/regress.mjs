import { seededRandom } from './matrix.mjs';

/**
 * Fits the table to sentences: the normalised sum of a sentence's rows should point where the
 * teacher's vector points. Adagrad on 1 − cosine, one sentence at a time in a seeded order.
 */
export function regress(table, sentences, { dim, seed, epochs, rate, log = () => {} }) {
  const random = seededRandom(seed);
  const squares = new Float32Array(table.length);
  const sum = new Float64Array(dim);
  const order = Uint32Array.from(sentences.keys());
  for (let epoch = 1; epoch <= epochs; epoch++) {
    shuffle(order, random);
    let total = 0;
    for (const index of order) {
      const { ids, target } = sentences[index];
      const { cosine, norm } = compare(table, ids, target, sum);
      total += cosine;
      if (norm < 1e-9) continue;
      for (let d = 0; d < dim; d++) sum[d] = (target[d] - (cosine * sum[d]) / norm) / norm;
      for (const id of ids) {
        for (let d = 0, at = id * dim; d < dim; d++, at++) {
          const gradient = sum[d];
          squares[at] += gradient * gradient;
          table[at] += (rate * gradient) / (Math.sqrt(squares[at]) + 1e-6);
        }
      }
    }
    log(`epoch ${epoch}: mean cosine ${(total / sentences.length).toFixed(4)}`);
  }
}

/** Mean cosine over sentences the table was not fitted to. */
export function validate(table, sentences, dim) {
  const sum = new Float64Array(dim);
  let total = 0;
  for (const { ids, target } of sentences) total += compare(table, ids, target, sum).cosine;
  return total / sentences.length;
}

/** Leaves the sentence's sum of rows in `sum`. */
function compare(table, ids, target, sum) {
  const dim = sum.length;
  sum.fill(0);
  for (const id of ids) for (let d = 0, at = id * dim; d < dim; d++, at++) sum[d] += table[at];
  let squared = 0;
  let dot = 0;
  for (let d = 0; d < dim; d++) {
    squared += sum[d] * sum[d];
    dot += sum[d] * target[d];
  }
  const norm = Math.sqrt(squared);
  return { cosine: norm < 1e-9 ? 0 : dot / norm, norm };
}

function shuffle(order, random) {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
}
