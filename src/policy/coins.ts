import { keyOfScore } from '../queue/index.ts';
import type { ColumnArrays } from '../base/index.ts';
import type { OptionValues } from './define-policy.ts';
import type { PolicyState } from './policy-state.ts';
import type { Amounts, Cash, PolicyContext } from './policy.ts';

/** All coins of a run. Integers up to here are exact in a Number, and so is Math.floor(coins / links). */
export const totalCoins = 2 ** 52;

/** Setting of the policies whose order is that of coins. */
export const opicRoot = {
  enum: ['keep', 'known'],
  default: 'keep',
  description: "a root's coins stay with it, or go to the pages known to its processor at each barrier",
} as const;

/**
 * The cash of a processor's pages and of its root, in whole coins, so that conservation is exact whatever the order of
 * messages. Each seed page begins with floor(totalCoins / seed pages); the remainder is the root's of processor 0.
 *
 * A root that gives (`opicRoot` known) is the virtual page of Abiteboul, Preda & Cobena (WWW 2003): every page links to
 * it besides its own links, so that a page's d links and the root get 1 / (d + 1) each; at a barrier it gives
 * floor(root / known) to each page known. That adds one number for all (`toEach`): O(1) a barrier, and since all grow
 * alike, their order is that of what they have besides.
 *
 * O(1) an event but `held`, 8 bytes a page.
 */
export class Coins {
  readonly #rootGives: boolean;
  readonly #seedCoins: number;
  readonly #state: PolicyState;
  /** By local index: coins, less what the root gave each page. */
  readonly #page: ColumnArrays<{ readonly own: Float64ArrayConstructor }>;
  /** The root's coins, and what it has given each page; one that became known later has as much less of its own. */
  readonly #root: { coins: number; toEach: number };

  constructor({ processor, seedPages, options, state }: PolicyContext<OptionValues<{ opicRoot: typeof opicRoot }>>) {
    this.#rootGives = options.opicRoot === 'known';
    this.#seedCoins = Math.floor(totalCoins / seedPages);
    this.#state = state;
    this.#page = state.pages({ own: Float64Array });
    this.#root = state.numbers({
      coins: processor === 0 ? totalCoins - this.#seedCoins * seedPages : 0, toEach: 0,
    });
  }

  know(local: number): void {
    this.#page.own[local] = 0 - this.#root.toEach;
  }

  of(local: number): number {
    return this.#page.own[local] + this.#root.toEach;
  }

  /** Orders pages by their coins, and stays as it is while the root gives. */
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

  /** The page gives all it has: returns what each of its `links` links gets; the root gets the rest. */
  spend(local: number, links: number): number {
    const spent = this.of(local);
    this.#page.own[local] = 0 - this.#root.toEach;
    const share = links === 0 ? 0 : Math.floor(spent / (links + (this.#rootGives ? 1 : 0)));
    this.#root.coins += spent - share * links;
    return share;
  }

  /** At a barrier: the root gives, if it does. */
  settle(): void {
    const { known } = this.#state;
    if (!this.#rootGives || known === 0) return;
    const each = Math.floor(this.#root.coins / known);
    this.#root.toEach += each;
    this.#root.coins -= each * known;
  }

  /** For a policy that moves coins when a page is fetched and at no other time. */
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
const one = keyOfScore(1);

/** Key of an integer of either sign, at most 2^53: floats of their sizes, on both sides of the middle. */
function keyOfDifference(coins: number): number {
  if (coins === 0) return middle;
  const size = 1 + keyOfScore(Math.abs(coins)) - one;
  return coins > 0 ? middle + size : middle - size;
}
