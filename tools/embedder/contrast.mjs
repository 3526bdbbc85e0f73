import { seededRandom } from './matrix.mjs';

/**
 * Teaches the table to tell things apart: of a batch of pairs, each text should be nearest to its own
 * partner (softmax over cosines both ways, Adagrad). A batch holds pairs of one group only, else it
 * would be enough to tell styles apart, and pairs of the same `key` are not held against each other.
 */
export function contrast(
  table,
  groups,
  { dim, seed, epochs, rate, temperature, batch, log = () => {} },
) {
  const random = seededRandom(seed);
  const squares = new Float32Array(table.length);
  const left = side(batch, dim);
  const right = side(batch, dim);
  const cosines = new Float32Array(batch * batch);
  const pulls = new Float32Array(batch * batch);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const batches = groups.flatMap((pairs) => cut(shuffled(pairs, random), batch));
    let loss = 0;
    for (const pairs of shuffled(batches, random)) {
      pairs.forEach((pair, row) => {
        gather(table, pair.left, left, row, dim);
        gather(table, pair.right, right, row, dim);
      });
      compare(left.rows, right.rows, cosines, batch, dim);
      loss += soften(pairs, cosines, pulls, { batch, temperature });
      spread(left, right, pulls, batch, dim);
      pairs.forEach((pair, row) => {
        step(table, squares, pair.left, left, { row, dim, rate });
        step(table, squares, pair.right, right, { row, dim, rate });
      });
    }
    log(`contrast epoch ${epoch}: loss ${(loss / batches.length / batch).toFixed(4)}`);
  }
}

function side(batch, dim) {
  return {
    rows: new Float32Array(batch * dim),
    gradients: new Float32Array(batch * dim),
    norms: new Float32Array(batch),
  };
}

/** Row of a batch: the text's weighted sum at length one. */
function gather(table, { ids, weights }, { rows, norms }, row, dim) {
  const at = row * dim;
  rows.fill(0, at, at + dim);
  for (let k = 0; k < ids.length; k++) {
    const weight = weights[k];
    for (let d = 0, from = ids[k] * dim; d < dim; d++, from++) rows[at + d] += weight * table[from];
  }
  let squared = 0;
  for (let d = at; d < at + dim; d++) squared += rows[d] * rows[d];
  const norm = Math.sqrt(squared) || 1e-9;
  for (let d = at; d < at + dim; d++) rows[d] /= norm;
  norms[row] = norm;
}

function compare(a, b, out, batch, dim) {
  for (let i = 0; i < batch; i++) {
    for (let j = 0; j < batch; j++) {
      let s0 = 0;
      let s1 = 0;
      for (let d = 0, x = i * dim, y = j * dim; d < dim; d += 2, x += 2, y += 2) {
        s0 += a[x] * b[y];
        s1 += a[x + 1] * b[y + 1];
      }
      out[i * batch + j] = s0 + s1;
    }
  }
}

/** Softmax over rows and over columns; leaves in `pulls` how far each cosine should move. */
function soften(pairs, cosines, pulls, { batch, temperature }) {
  pulls.fill(0);
  let loss = 0;
  for (const byRow of [true, false]) {
    for (let i = 0; i < batch; i++) {
      const cell = (j) => (byRow ? i * batch + j : j * batch + i);
      const counts = (j) => j === i || pairs[j].key !== pairs[i].key;
      let total = 0;
      for (let j = 0; j < batch; j++) {
        if (counts(j)) total += Math.exp((cosines[cell(j)] - 1) / temperature);
      }
      for (let j = 0; j < batch; j++) {
        if (!counts(j)) continue;
        const share = Math.exp((cosines[cell(j)] - 1) / temperature) / total;
        pulls[cell(j)] += 0.5 * (share - (i === j ? 1 : 0));
        if (i === j) loss -= 0.5 * Math.log(share);
      }
    }
  }
  return loss;
}

function spread(left, right, pulls, batch, dim) {
  left.gradients.fill(0);
  right.gradients.fill(0);
  for (let i = 0; i < batch; i++) {
    for (let j = 0; j < batch; j++) {
      const pull = pulls[i * batch + j];
      if (Math.abs(pull) < 1e-5) continue;
      for (let d = 0, x = i * dim, y = j * dim; d < dim; d++, x++, y++) {
        left.gradients[x] += pull * right.rows[y];
        right.gradients[y] += pull * left.rows[x];
      }
    }
  }
}

function step(table, squares, { ids, weights }, { rows, gradients, norms }, { row, dim, rate }) {
  const at = row * dim;
  let along = 0;
  for (let d = at; d < at + dim; d++) along += rows[d] * gradients[d];
  for (let k = 0; k < ids.length; k++) {
    const weight = weights[k] / norms[row];
    for (let d = 0, to = ids[k] * dim; d < dim; d++, to++) {
      const gradient = weight * (gradients[at + d] - along * rows[at + d]);
      squares[to] += gradient * gradient;
      table[to] -= (rate * gradient) / (Math.sqrt(squares[to]) + 1e-6);
    }
  }
}

/** Whole batches only: a short one would have easier questions. */
function cut(list, size) {
  const out = [];
  for (let at = 0; at + size <= list.length; at += size) out.push(list.slice(at, at + size));
  return out;
}

function shuffled(list, random) {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}
