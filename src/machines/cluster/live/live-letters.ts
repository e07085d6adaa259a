import type { Letter } from '../../../core/engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from '../records/bytes.ts';
import { letterOf, putHeads, takeHeads, type ReadPlaces } from '../records/letters.ts';

/** A page, as nodes tell each other of it: each node has its own ids. */
export interface FoundPage {
  readonly url: string;
  /** Links from a seed page, and consecutive redirects that led to it, at most 255. */
  readonly depth: number;
  readonly redirects: number;
  /** Links beyond the scope, at most 255. */
  readonly hops: number;
}

/** The pages that a node knows, by its own ids. */
export interface PageNumbers {
  pageOf(page: number): FoundPage;
  /** The ids of pages that another node has found, stored before it resolves. New ones are numbered. */
  numbered(pages: readonly FoundPage[]): Promise<readonly number[]>;
}

const PAIR_BYTES = 18;

/**
 * The letters of a superstep of a live crawl. Per pair: 8 amount, 4 depth, 1 redirects, 1 hops, 4 length of the
 * URL, UTF-8.
 */
export function putLiveLetters(
  writer: ByteWriter, letters: readonly Letter[], nodeOf: ReadPlaces['nodeOf'], pageOf: PageNumbers['pageOf'],
): void {
  putHeads(writer, letters, nodeOf, ({ pages, amounts, first, size }) => {
    for (let i = first; i < first + size; i++) {
      const { url, depth, redirects, hops } = pageOf(pages[i]);
      writer.float64(amounts[i]);
      writer.uint32(depth);
      writer.uint8(redirects);
      writer.uint8(hops);
      writer.text(url);
    }
  });
}

/** Letters as they are read: pages in letters to the reader have no ids yet. */
export type LiveLetters = ReturnType<typeof takeHeads<LivePairs>>;

interface LivePairs {
  readonly pages: readonly FoundPage[];
  readonly amounts: readonly number[];
}

export function takeLiveLetters(bytes: ByteReader, places: ReadPlaces): LiveLetters {
  return takeHeads(bytes, places, (size, isHere) => {
    bytes.require(size, PAIR_BYTES);
    const pages: FoundPage[] = [];
    const amounts: number[] = [];
    for (let i = 0; i < size; i++) {
      const pairAmount = bytes.float64();
      const page = { depth: bytes.uint32(), redirects: bytes.uint8(), hops: bytes.uint8(), url: bytes.text() };
      if (!isHere) continue;
      if (!/^https?:\/\/[^/]+\//.test(page.url))
        throw new Damage(`a page is ${JSON.stringify(page.url.slice(0, 80))}`);
      amounts.push(pairAmount);
      pages.push(page);
    }
    return isHere ? { pages, amounts } : undefined;
  });
}

/** The pages that the letters name, one letter after another. */
export function foundIn(letters: LiveLetters): FoundPage[] {
  return letters.flatMap(([, pairs]) => pairs?.pages ?? []);
}

/** The letters, with the reader's ids of these pages. */
export function withIds(letters: LiveLetters, ids: readonly number[]): Letter[] {
  const pages = Uint32Array.from(ids);
  const amounts = Float64Array.from(letters.flatMap(([, pairs]) => pairs?.amounts ?? []));
  let at = 0;
  return letters.map(([head, pairs]) => {
    const first = at;
    at += pairs?.pages.length ?? 0;
    return letterOf(head, pairs && { pages, amounts, first });
  });
}
