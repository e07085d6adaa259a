/** What a question costs: counted, about one for each character that is looked at, and bounded. */
export interface Steps {
  taken: number;
  readonly most: number;
}

const STEPS_A_SEARCH = 20;
/**
 * Of what is searched: where all but the last of what is looked for is everywhere, each character is looked at again
 * and again.
 */
const STEPS_A_CHARACTER = 2;

/**
 * Whether `pattern`, in which `*` stands for any characters or none, is the whole of `text`. What stands between two
 * stars is taken at its leftmost place, which never has to be taken back.
 *
 * @param steps what it takes is added; where that is more than may be, the search ends, and false means nothing.
 *
 * Cost  O(pattern + text), however many stars: V8 searches in linear time, for it changes to Boyer-Moore where that is
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
    const found = text.indexOf(literal, at);
    steps.taken += STEPS_A_CHARACTER * ((found < 0 ? text.length : found) - at);
    if (found < 0) return false;
    at = found + literal.length;
    star = next;
  }
  return false;
}
