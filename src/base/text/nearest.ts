import { editDistance } from './edit-distance.ts';

/** The name most similar to `wanted`, for "did you mean"; undefined if none shares half its letters. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  // A name of thousands of characters resembles none; its beginning is enough to decide.
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
