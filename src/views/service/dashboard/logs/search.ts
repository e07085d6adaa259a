/** What one request looks at, at most: some tenths of a second. */
export const MAX_SCANNED = 20_000;

/** Something of a log, and the place before it; null: it is the first. */
export interface Placed<T> {
  readonly item: T;
  readonly before: string | null;
}

export interface Found<T> {
  readonly items: readonly T[];
  /** The place before all that was looked at; null: there is nothing. */
  readonly older: string | null;
  /** The last item that was looked at. */
  readonly last: T | undefined;
}

/** Up to `limit` of the items that are wanted, in their order. */
export function search<T>(placed: Iterable<Placed<T>>, isWanted: (item: T) => boolean, limit: number): Found<T> {
  const items: T[] = [];
  let scanned = 0;
  let last: T | undefined;
  for (const { item, before } of placed) {
    last = item;
    if (isWanted(item)) items.push(item);
    if (items.length === limit || ++scanned === MAX_SCANNED) return { items, older: before, last };
  }
  return { items, older: null, last };
}
