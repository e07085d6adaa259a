/**
 * A function of a text that remembers what it returned, for texts that come again and again.
 *
 * @param maxEntries - when it remembers so many, it forgets them all.
 */
export function remembering<T>(maxEntries: number, compute: (text: string) => T): (text: string) => T {
  const copies = new Map<string, T>();
  return (text) => {
    const copy = copies.get(text);
    if (copy !== undefined || copies.has(text)) return copy as T;
    const newCopy = copiedText(text);
    const value = compute(newCopy);
    if (copies.size >= maxEntries) copies.clear();
    copies.set(newCopy, value);
    return value;
  };
}

/** A copy in memory: V8 keeps all of a text while a part of it is in use. */
export function copiedText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
