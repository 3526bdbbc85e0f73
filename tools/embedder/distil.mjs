import { meanOf, principalAxes, project } from './matrix.mjs';

/**
 * First guess of the table: the teacher's vector of every word piece on its own, along the axes of
 * greatest variance, common pieces turned down as `a / (a + p)` with `p` by Zipf's law of the piece's rank.
 */
export async function distil(teacher, { pieces, dim, smoothing }) {
  const rows = await teacher.embed(Array.from({ length: pieces }, (_, id) => [id]));
  const mean = meanOf(rows);
  const { axes } = principalAxes(rows, mean, dim);
  let harmonic = 0;
  for (let rank = 1; rank <= pieces; rank++) harmonic += 1 / rank;
  const table = new Float32Array(pieces * dim);
  rows.forEach((row, id) => {
    const weight = smoothing / (smoothing + 1 / ((id + 1) * harmonic));
    project(row, mean, axes).forEach((x, d) => {
      table[id * dim + d] = x * weight;
    });
  });
  return { table, mean, axes };
}
