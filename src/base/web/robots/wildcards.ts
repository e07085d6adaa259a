/** The cost of a check, counted and bounded: about one step per character examined. */
export interface Steps {
  taken: number;
  readonly most: number;
}

const STEPS_A_SEARCH = 20;
/**
 * Worst-case steps per character searched: if all but the last character of a part occurs everywhere, each character is
 * examined repeatedly.
 */
const STEPS_A_CHARACTER = 2;

/**
 * Whether `pattern`, in which `*` matches any characters or none, matches the whole of `text`. Each part between two
 * stars is matched at its leftmost place, so no backtracking is needed.
 *
 * @param steps the cost is added to it; once it exceeds the limit, the search ends, and false means nothing.
 *
 * Cost  O(pattern + text), however many stars: V8 searches in linear time, because it switches to Boyer-Moore when
 *       needed.
 */
export function matchesWildcards(pattern: string, text: string, steps: Steps = { taken: 0, most: Infinity }): boolean {
  let star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  steps.taken += STEPS_A_SEARCH;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  let at = star;
  while (steps.taken <= steps.most) {
    const next = pattern.indexOf('*', star + 1);
    const literal = pattern.slice(star + 1, next < 0 ? undefined : next);
    steps.taken += STEPS_A_SEARCH + literal.length;
    if (next < 0) return text.length - at >= literal.length && text.endsWith(literal);
    const place = text.indexOf(literal, at);
    steps.taken += STEPS_A_CHARACTER * ((place < 0 ? text.length : place) - at);
    if (place < 0) return false;
    at = place + literal.length;
    star = next;
  }
  return false;
}
