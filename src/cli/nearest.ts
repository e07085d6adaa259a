/** The name most like `wanted`, for "did you mean"; undefined where none shares half its letters. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  // A name of thousands of characters is like none; its beginning is enough to say so.
  const start = wanted.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const name of names) {
    const distance = editDistance(start, name);
    if (distance >= bestDistance || 2 * distance > Math.max(start.length, name.length)) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    above = row;
  }
  return above[b.length];
}
