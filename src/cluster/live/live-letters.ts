import { amountOf } from '../../bsp/index.ts';
import type { Letter } from '../../engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from '../records/bytes.ts';

/** A page, as nodes tell each other of it: their ids are their own. */
export interface FoundPage {
  readonly url: string;
  /** Links from a seed page, and consecutive redirects that led to it, at most 255. */
  readonly depth: number;
  readonly redirects: number;
}

/** The pages that a node knows, by its own ids. */
export interface PageNumbers {
  /** What another node needs to know of a page. */
  pageOf(page: number): FoundPage;
  /** The ids of pages that another node has found, stored before it resolves. New ones are numbered. */
  numbered(found: readonly FoundPage[]): Promise<readonly number[]>;
}

/** Who a letter concerns. */
export interface LivePlaces {
  readonly processors: number;
  /** The node that a processor belongs to. */
  readonly nodeOf: (processor: number) => number;
  /** Who wrote the record, and who reads it. */
  readonly sender: number;
  readonly reader: number;
}

const LETTER_BYTES = 24;
const PAIR_BYTES = 17;
const noPages = new Uint32Array(0);
const noAmounts = new Float64Array(0);

/**
 * The letters of a superstep of a live crawl:
 *
 *     4 count | per letter: 4 from, 4 to, 4 messages, 4 pairs, 8 sum of the amounts |
 *     where `to` belongs to another node, per pair: 8 amount, 4 depth, 1 redirects, 4 length of the URL, UTF-8
 *
 * Of a letter within the sender's node the others need the number of pairs and the sum alone.
 */
export function putLiveLetters(
  writer: ByteWriter, letters: readonly Letter[], nodeOf: (processor: number) => number,
  pageOf: PageNumbers['pageOf'],
): void {
  writer.uint32(letters.length);
  for (const { from, to, pairs } of letters) {
    const { pages, amounts, first, size, messages } = pairs;
    writer.uint32(from);
    writer.uint32(to);
    writer.uint32(messages);
    writer.uint32(size);
    writer.float64(amountOf(pairs));
    if (nodeOf(to) === nodeOf(from)) continue;
    for (let i = first; i < first + size; i++) {
      const { url, depth, redirects } = pageOf(pages[i]);
      writer.float64(amounts[i]);
      writer.uint32(depth);
      writer.uint8(redirects);
      writer.text(url);
    }
  }
}

/** A letter as it is read: the pages of one to the reader have no ids yet. */
export interface LiveLetter {
  readonly from: number;
  readonly to: number;
  readonly messages: number;
  readonly size: number;
  readonly amount: number;
  /** Empty unless it is to the reader. */
  readonly found: readonly FoundPage[];
  readonly amounts: readonly number[];
}

export function takeLiveLetters(
  bytes: ByteReader, { sender, reader, nodeOf, processors }: LivePlaces,
): LiveLetter[] {
  return bytes.list(LETTER_BYTES, () => {
    const from = bytes.below(processors, 'a processor');
    const to = bytes.below(processors, 'a processor');
    if (nodeOf(from) !== sender) throw new Damage(`processor ${from} does not belong to node ${sender}`);
    const messages = bytes.uint32();
    const size = bytes.uint32();
    const amount = bytes.float64();
    const found: FoundPage[] = [];
    const amounts: number[] = [];
    const isHere = nodeOf(to) === reader;
    if (nodeOf(to) !== sender) {
      bytes.require(size, PAIR_BYTES);
      for (let i = 0; i < size; i++) {
        const pairAmount = bytes.float64();
        const page = { depth: bytes.uint32(), redirects: bytes.uint8(), url: bytes.text() };
        if (!isHere) continue;
        if (!/^https?:\/\/[^/]+\//.test(page.url))
          throw new Damage(`a page is ${JSON.stringify(page.url.slice(0, 80))}`);
        amounts.push(pairAmount);
        found.push(page);
      }
    }
    return { from, to, messages, size, amount, found, amounts };
  });
}

/** The same letters, with the reader's ids: as many per letter as it has found pages, one after another. */
export function withIds(letters: readonly LiveLetter[], ids: readonly number[]): Letter[] {
  const pages = Uint32Array.from(ids);
  const amounts = Float64Array.from(letters.flatMap((letter) => letter.amounts));
  let at = 0;
  return letters.map(({ from, to, messages, size, amount, found }) => {
    if (found.length === 0)
      return { from, to, pairs: { pages: noPages, amounts: noAmounts, first: 0, size, messages, amount } };
    const first = at;
    at += size;
    return { from, to, pairs: { pages, amounts, first, size, messages } };
  });
}
