/**
 * A function of a text that remembers what it returned, for texts that come again and again.
 *
 * @param maxEntries - when it remembers so many, it forgets them all.
 */
export function remembering<T>(maxEntries: number, compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const own = copiedText(text);
    const value = compute(own);
    if (known.size >= maxEntries) known.clear();
    known.set(own, value);
    return value;
  };
}

/** In memory of its own: V8 keeps all of a text for what was cut from it. */
export function copiedText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
