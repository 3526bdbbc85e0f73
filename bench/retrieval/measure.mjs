/** Recall as LoCoMo's authors define it: a question without evidence counts as answered. */
export function recallAt(k, ranked, units, keys) {
  if (keys.length === 0) return 1;
  const found = new Set(ranked.slice(0, k).flatMap((unit) => units[unit].keys));
  return keys.filter((key) => found.has(key)).length / keys.length;
}

/** One over the place of the first right unit, or zero. */
export function reciprocalRank(ranked, units, keys) {
  const place = ranked.findIndex((unit) => units[unit].keys.some((key) => keys.includes(key)));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** Units by falling score; equal scores keep the order of the collection. */
export function rank(scores, limit = 100) {
  const order = [];
  for (let i = 0; i < scores.length; i++) if (scores[i] > 0) order.push(i);
  return order.sort((a, b) => scores[b] - scores[a] || a - b).slice(0, limit);
}
