/** How far two tables of word-piece vectors are apart, each given as bytes and factors. */
export function compareTables(a, b, { pieces, dim }) {
  let sameBytes = 0;
  for (let i = 0; i < a.vectors.length; i++) if (a.vectors[i] === b.vectors[i]) sameBytes++;
  let total = 0;
  let rows = 0;
  let worst = 1;
  for (let id = 0; id < pieces; id++) {
    const cosine = rowCosine(a.vectors, b.vectors, id * dim, dim);
    if (Number.isNaN(cosine)) continue;
    total += cosine;
    rows++;
    worst = Math.min(worst, cosine);
  }
  let widest = 0;
  for (let id = 0; id < pieces; id++) {
    const larger = Math.max(a.scales[id], b.scales[id]);
    if (larger > 0) widest = Math.max(widest, Math.abs(a.scales[id] - b.scales[id]) / larger);
  }
  return {
    identical: sameBytes === a.vectors.length && widest === 0,
    sameBytes: sameBytes / a.vectors.length,
    meanCosine: total / rows,
    worstCosine: worst,
    widestScale: widest,
  };
}

function rowCosine(a, b, at, dim) {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = at; i < at + dim; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
}
