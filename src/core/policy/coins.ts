import { keyOfScore } from '../queue/entry.ts';
import type { ColumnArrays } from '../../base/index.ts';
import type { OptionValues } from './define-policy.ts';
import type { PolicyState } from './policy-state.ts';
import type { Amounts, Cash, PolicyContext } from './policy.ts';

/** All coins of a run. Integers up to here are exact in a Number, and so is Math.floor(coins / links). */
export const totalCoins = 2 ** 52;

/** Setting of the policies that order pages by coins. */
export const opicRoot = {
  enum: ['keep', 'known'],
  default: 'keep',
  description: "a root's coins stay with it, or go to the pages known to its processor at each barrier",
} as const;

/**
 * The cash of a processor's pages and of its root, in whole coins, so that it is conserved exactly in any order of
 * messages. Each seed page starts with floor(totalCoins / seed pages); processor 0's root gets the remainder.
 *
 * A root that gives (`opicRoot` known) is the virtual page of Abiteboul, Preda & Cobena (WWW 2003): every page links to
 * it besides its own links, so that a page's d links and the root get 1 / (d + 1) each; at a barrier it gives
 * floor(root / known) to each known page. One number counts that for all (`toEach`): O(1) per barrier, and since all
 * grow equally, the rest of their cash decides their order.
 *
 * O(1) per event except `held`, 8 bytes per page.
 */
export class Coins {
  readonly #rootGives: boolean;
  readonly #seedCoins: number;
  readonly #state: PolicyState;
  /** Coins by local index, without the coins that the root gave every page. */
  readonly #page: ColumnArrays<{ readonly own: Float64ArrayConstructor }>;
  /** The root's coins, and what it has given each page; a page discovered later starts with that much less. */
  readonly #root: { coins: number; toEach: number };

  constructor({ processor, seedPages, options, state }: PolicyContext<OptionValues<{ opicRoot: typeof opicRoot }>>) {
    this.#rootGives = options.opicRoot === 'known';
    this.#seedCoins = Math.floor(totalCoins / seedPages);
    this.#state = state;
    this.#page = state.pages({ own: Float64Array });
    this.#root = state.numbers({ coins: processor === 0 ? totalCoins - this.#seedCoins * seedPages : 0, toEach: 0 });
  }

  know(local: number): void {
    this.#page.own[local] = 0 - this.#root.toEach;
  }

  of(local: number): number {
    return this.#page.own[local] + this.#root.toEach;
  }

  /** Orders pages by their coins; does not change when the root gives. */
  key(local: number): number {
    return this.#rootGives ? keyOfDifference(this.#page.own[local]) : keyOfScore(this.#page.own[local]);
  }

  seed(local: number): number {
    return this.add(local, this.#seedCoins);
  }

  add(local: number, coins: number): number {
    this.#page.own[local] += coins;
    return coins;
  }

  /** The page gives all its coins away: returns what each of its `links` links gets; the root gets the remainder. */
  spend(local: number, links: number): number {
    const spent = this.of(local);
    this.#page.own[local] = 0 - this.#root.toEach;
    const share = links === 0 ? 0 : Math.floor(spent / (links + (this.#rootGives ? 1 : 0)));
    this.#root.coins += spent - share * links;
    return share;
  }

  /** At a barrier: the root gives, if `opicRoot` says so. */
  settle(): void {
    const { known } = this.#state;
    if (!this.#rootGives || known === 0) return;
    const each = Math.floor(this.#root.coins / known);
    this.#root.toEach += each;
    this.#root.coins -= each * known;
  }

  /** The amounts of a policy that moves coins only when a page is fetched. */
  amounts(): Amounts & { readonly cash: Cash } {
    return {
      seed: (local) => this.seed(local),
      credit: (local, amount) => this.add(local, amount),
      spread: (local, links) => this.spend(local, links),
      cash: { total: totalCoins, held: () => this.#held(), isGivenToAll: this.#rootGives },
    };
  }

  #held(): number {
    let sum = this.#root.coins;
    for (let local = 0; local < this.#state.known; local++) sum += this.of(local);
    return sum;
  }
}

const middle = 2 ** 30;
const keyOfOne = keyOfScore(1);

/** Key of an integer of either sign, up to 2^53: a float of its magnitude, on either side of the middle. */
function keyOfDifference(coins: number): number {
  if (coins === 0) return middle;
  const size = 1 + keyOfScore(Math.abs(coins)) - keyOfOne;
  return coins > 0 ? middle + size : middle - size;
}
