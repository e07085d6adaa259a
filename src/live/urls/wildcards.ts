const STAR = 0x2a;

/**
 * Whether `pattern`, in which `*` stands for any characters or none, is the whole of `text`. What stands between two stars is taken at its
 * leftmost place, which never has to be taken back: only the last star met is ever tried again.
 *
 * Cost  at worst O(characters of pattern times characters of text), however many stars; usually O(text).
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let starEnd = 0;
  while (t < text.length) {
    if (pattern.charCodeAt(p) === STAR) {
      star = p++;
      starEnd = t;
      if (p === pattern.length) return true;
    } else if (pattern.charCodeAt(p) === text.charCodeAt(t)) {
      p++;
      t++;
    } else if (star < 0) {
      return false;
    } else {
      p = star + 1;
      t = ++starEnd;
    }
  }
  while (pattern.charCodeAt(p) === STAR) p++;
  return p === pattern.length;
}
