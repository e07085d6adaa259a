import { amountOf, type Pairs } from '../../../core/bsp/index.ts';
import type { Letter } from '../../../core/engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from './bytes.ts';

/** Who a letter concerns. */
export interface LetterPlaces {
  readonly nodeOf: (processor: number) => number;
  readonly processors: number;
}

/** Who wrote a record, and who reads it. */
export interface ReadPlaces extends LetterPlaces {
  readonly sender: number;
  readonly reader: number;
}

/** With the bounds of what a record of a simulation may name. */
export interface RecordPlaces extends ReadPlaces {
  readonly pages: number;
}

/** A letter without its pairs: what every node needs of it, for the price of the barrier and the total of cash. */
interface LetterHead extends Pick<Letter, 'from' | 'to'>, Pick<Pairs, 'messages' | 'size'> {
  readonly amount: number;
}

const LETTER_BYTES = 24;
const PAIR_BYTES = 12;
const noPages = new Uint32Array(0);
const noAmounts = new Float64Array(0);

/**
 * The letters of a superstep, with the pairs of those to other nodes:
 *
 *     4 count | per letter: 4 from, 4 to, 4 messages, 4 pairs, 8 sum of the amounts |
 *     where `to` belongs to another node, its pairs
 */
export function putHeads(
  writer: ByteWriter, letters: readonly Letter[], nodeOf: LetterPlaces['nodeOf'], putPairs: (pairs: Pairs) => void,
): void {
  writer.uint32(letters.length);
  for (const { from, to, pairs } of letters) {
    writer.uint32s(from, to, pairs.messages, pairs.size);
    writer.float64(amountOf(pairs));
    if (nodeOf(to) !== nodeOf(from)) putPairs(pairs);
  }
}

/**
 * Reads what `putHeads` wrote.
 * @param takePairs reads so many pairs, or passes over those that are not for the reader and returns undefined.
 */
export function takeHeads<T>(
  bytes: ByteReader, { sender, reader, nodeOf, processors }: ReadPlaces,
  takePairs: (size: number, isHere: boolean) => T | undefined,
): (readonly [head: LetterHead, pairs: T | undefined])[] {
  return bytes.list(LETTER_BYTES, () => {
    const from = bytes.below(processors, 'a processor');
    const to = bytes.below(processors, 'a processor');
    if (nodeOf(from) !== sender) throw new Damage(`processor ${from} does not belong to node ${sender}`);
    const head = { from, to, messages: bytes.uint32(), size: bytes.uint32(), amount: bytes.float64() };
    return [head, nodeOf(to) === sender ? undefined : takePairs(head.size, nodeOf(to) === reader)];
  });
}

/** The letter of a head and, if they are read, its pairs. */
export function letterOf(
  { from, to, messages, size, amount }: LetterHead, pairs: Pick<Pairs, 'pages' | 'amounts' | 'first'> | undefined,
): Letter {
  return pairs === undefined
    ? { from, to, pairs: { pages: noPages, amounts: noAmounts, first: 0, size, messages, amount } }
    : { from, to, pairs: { ...pairs, size, messages } };
}

/** The letters of a simulation, of whose pairs it has: 4 per page, 8 per amount. */
export function putLetters(writer: ByteWriter, letters: readonly Letter[], { nodeOf }: LetterPlaces): void {
  putHeads(writer, letters, nodeOf, ({ pages, amounts, first, size }) => {
    for (let i = first; i < first + size; i++) writer.uint32(pages[i]);
    for (let i = first; i < first + size; i++) writer.float64(amounts[i]);
  });
}

/** The reader takes the pairs for its processors. */
export function takeLetters(bytes: ByteReader, places: RecordPlaces): Letter[] {
  const arrays = new TakenPairs(bytes, places.pages);
  return takeHeads(bytes, places, (size, isHere) => {
    if (isHere) return arrays.take(size);
    bytes.skip(size, PAIR_BYTES);
    return undefined;
  }).map(([head, pairs]) => letterOf(head, pairs));
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
