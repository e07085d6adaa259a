import { editDistance } from './edit-distance.ts';
import { shortly } from './quote.ts';

/** The name most similar to `wanted`, for "did you mean"; undefined if none shares half its letters. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  // A name of thousands of characters resembles none; its beginning is enough to decide.
  const start = text.slice(0, 64).toLowerCase();
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

/** `; did you mean opic?`, to end a message with; '' if no name is like `wanted`. */
export function didYouMean(text: string, names: readonly string[]): string {
  const near = nearest(text, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Says that a value is not among the names, and which name it resembles. */
export function noneOf(value: unknown, names: readonly string[]): string {
  const question = typeof value === 'string' ? didYouMean(value, names) : '';
  return `${shortly(value)} is not one of ${names.join(', ')}${question}`;
}

/**
 * Says that a key is not among the fields, and which field it resembles; where it resembles none, it lists them.
 *
 * @param help - says more than that, if there is more to say.
 */
export function noField(key: string, names: readonly string[], help?: string): string {
  const near = nearest(key, names);
  const list = names.length === 0 ? '' : `known there: ${names.join(', ')}`;
  const more = help ?? (near === undefined ? list : `did you mean ${near}?`);
  return `${shortly(key)} is not a field${more === '' ? '' : `; ${more}`}`;
}
