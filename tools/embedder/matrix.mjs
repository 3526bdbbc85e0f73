/** The little linear algebra the tools need, in double precision and a fixed order of operations. */

/** Mean of equally long rows. */
export function meanOf(rows) {
  const mean = new Float64Array(rows[0].length);
  for (const row of rows) for (let d = 0; d < mean.length; d++) mean[d] += row[d];
  for (let d = 0; d < mean.length; d++) mean[d] /= rows.length;
  return mean;
}

/** The `count` directions of greatest variance, as rows, with the variance along each. */
export function principalAxes(rows, mean, count) {
  const n = mean.length;
  const covariance = new Float64Array(n * n);
  const centred = new Float64Array(n);
  for (const row of rows) {
    for (let d = 0; d < n; d++) centred[d] = row[d] - mean[d];
    for (let i = 0; i < n; i++) {
      const x = centred[i];
      for (let j = i; j < n; j++) covariance[i * n + j] += x * centred[j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      covariance[i * n + j] /= rows.length;
      covariance[j * n + i] = covariance[i * n + j];
    }
  }
  const { values, vectors } = eigen(covariance, n);
  const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
  const axes = order.map((k) =>
    signed(Float64Array.from({ length: n }, (_, i) => vectors[i * n + k])),
  );
  return { axes, variances: Float64Array.from(order, (k) => values[k]) };
}

/** Coordinates of a row along the axes, seen from the mean. */
export function project(row, mean, axes) {
  const out = new Float32Array(axes.length);
  for (let k = 0; k < axes.length; k++) {
    let sum = 0;
    for (let d = 0; d < mean.length; d++) sum += (row[d] - mean[d]) * axes[k][d];
    out[k] = sum;
  }
  return out;
}

/** A generator of numbers in [0, 1) that is the same on every machine (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** An axis and its opposite say the same: the largest entry is made positive. */
function signed(axis) {
  let largest = 0;
  for (const x of axis) if (Math.abs(x) > Math.abs(largest)) largest = x;
  return largest < 0 ? axis.map((x) => -x) : axis;
}

/** Eigenvalues of a symmetric matrix by cyclic Jacobi rotations: slow, plain, and stable. */
function eigen(matrix, n) {
  const a = matrix.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p * n + q] ** 2;
    if (off < 1e-22) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), vectors };
}

function rotate(a, vectors, n, p, q) {
  const apq = a[p * n + q];
  if (Math.abs(apq) < 1e-300) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let i = 0; i < n; i++) {
    const x = a[i * n + p];
    const y = a[i * n + q];
    a[i * n + p] = c * x - s * y;
    a[i * n + q] = s * x + c * y;
  }
  for (let i = 0; i < n; i++) {
    const x = a[p * n + i];
    const y = a[q * n + i];
    a[p * n + i] = c * x - s * y;
    a[q * n + i] = s * x + c * y;
    const u = vectors[i * n + p];
    const v = vectors[i * n + q];
    vectors[i * n + p] = c * u - s * v;
    vectors[i * n + q] = s * u + c * v;
  }
}
