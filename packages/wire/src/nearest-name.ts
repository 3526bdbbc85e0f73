/** The known name that a misspelt one most likely meant; `undefined` when none is close enough to suggest. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(given.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of names) {
    // Each missing or extra letter is an edit, so names of very different length need no comparison.
    const isUnfinished = given.length >= 3 && name.toLowerCase().startsWith(given.toLowerCase());
    if (!isUnfinished && Math.abs(name.length - given.length) > limit) continue;
    const edits = editDistance(given.toLowerCase(), name.toLowerCase());
    const distance = isUnfinished ? Math.min(edits, 1.5) : edits;
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

// Swapped neighbours count as one edit: they are a common slip.
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        at(previous, j) + 1,
        at(row, j - 1) + 1,
        at(previous, j - 1) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(before, j - 2) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
