import { amountOf, type Pairs } from '../../bsp/index.ts';
import type { Letter } from '../../engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from './bytes.ts';

/** Who a letter concerns. */
export interface LetterPlaces {
  /** The node that a processor belongs to. */
  readonly nodeOf: (processor: number) => number;
  readonly processors: number;
  readonly pages: number;
}

/** Who wrote a record, who reads it, and the bounds of what it may name. */
export interface RecordPlaces extends LetterPlaces {
  readonly sender: number;
  readonly reader: number;
}

const LETTER_BYTES = 24;
const PAIR_BYTES = 12;
const noPages = new Uint32Array(0);
const noAmounts = new Float64Array(0);

/**
 * The letters of a superstep:
 *
 *     4 count | per letter: 4 from, 4 to, 4 messages, 4 pairs, 8 sum of the amounts |
 *     where `to` belongs to another node, 4 per page, 8 per amount
 *
 * Letters within the sender's node are needed elsewhere for the price of the barrier and the total of cash alone.
 */
export function putLetters(writer: ByteWriter, letters: readonly Letter[], { nodeOf }: LetterPlaces): void {
  writer.uint32(letters.length);
  for (const { from, to, pairs } of letters) {
    const { pages, amounts, first, size, messages } = pairs;
    writer.uint32(from);
    writer.uint32(to);
    writer.uint32(messages);
    writer.uint32(size);
    writer.float64(amountOf(pairs));
    if (nodeOf(to) === nodeOf(from)) continue;
    for (let i = first; i < first + size; i++) writer.uint32(pages[i]);
    for (let i = first; i < first + size; i++) writer.float64(amounts[i]);
  }
}

/** The reader takes the pairs of its own processors. */
export function takeLetters(
  bytes: ByteReader, { sender, reader, nodeOf, processors, pages }: RecordPlaces,
): Letter[] {
  const taken = new TakenPairs(bytes, pages);
  return bytes.list(LETTER_BYTES, () => {
    const from = bytes.below(processors, 'a processor');
    const to = bytes.below(processors, 'a processor');
    if (nodeOf(from) !== sender) throw new Damage(`processor ${from} does not belong to node ${sender}`);
    const messages = bytes.uint32();
    const size = bytes.uint32();
    const amount = bytes.float64();
    const isHere = nodeOf(to) === reader;
    if (isHere) return { from, to, pairs: { ...taken.take(size), size, messages } };
    if (nodeOf(to) !== sender) bytes.skip(size, PAIR_BYTES);
    return { from, to, pairs: { pages: noPages, amounts: noAmounts, first: 0, size, messages, amount } };
  });
}

/** The pairs of all letters of a record, in two arrays: between many processors letters are many, and small. */
class TakenPairs {
  readonly #bytes: ByteReader;
  readonly #pageCount: number;
  readonly #pages: Uint32Array;
  readonly #amounts: Float64Array;
  #size = 0;

  constructor(bytes: ByteReader, pageCount: number) {
    this.#bytes = bytes;
    this.#pageCount = pageCount;
    const most = Math.floor(bytes.left / PAIR_BYTES);
    this.#pages = new Uint32Array(most);
    this.#amounts = new Float64Array(most);
  }

  take(size: number): Pick<Pairs, 'pages' | 'amounts' | 'first'> {
    this.#bytes.require(size, PAIR_BYTES);
    const first = this.#size;
    this.#size += size;
    for (let i = first; i < this.#size; i++) this.#pages[i] = this.#bytes.below(this.#pageCount, 'a page');
    for (let i = first; i < this.#size; i++) this.#amounts[i] = this.#bytes.float64();
    return { pages: this.#pages, amounts: this.#amounts, first };
  }
}
