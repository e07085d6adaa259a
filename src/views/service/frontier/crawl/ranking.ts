import { BitSet } from '../../../../base/index.ts';
import type { Policy } from '../../../../core/policy/index.ts';
import type { Event } from '../store/rows.ts';

/** Makes the policy of a crawl with so many seed pages. */
export type MakePolicy = (seedPages: number) => Policy;

/** What a ranking needs of its crawl. */
export interface RankedUrls {
  readonly count: number;
  /** Number of the queue of a URL. */
  queueOf(local: number): number;
  /** The score of a URL may have changed. */
  touch(local: number): void;
  /** Stores an event, after all earlier ones. */
  note(event: Event): void;
}

/**
 * A policy at work on the URLs of a crawl. It learns nothing from the wire that is not an event, and events are stored,
 * so that the same ranking comes back after a kill, or another policy's from the same events.
 *
 * The ranking begins with the first hand-out or visit. The URLs known by then are the crawl's seed pages: they share
 * the cash. Cash stays where it is until a page's links are known: a page that is visited again, or whose item is sent
 * again, passes on what it got in between. Amounts that are no cash, and links, count once per page.
 */
export class Ranking {
  readonly #make: MakePolicy;
  readonly #urls: RankedUrls;
  readonly #visited = new BitSet();
  /** URLs that were deleted before the ranking began. */
  readonly #dropped = new Set<number>();
  #policy: Policy | undefined;
  #ranked = 0;
  #isSettled = true;

  constructor(make: MakePolicy, urls: RankedUrls) {
    this.#make = make;
    this.#urls = urls;
  }

  get hasBegun(): boolean {
    return this.#policy !== undefined;
  }

  get bytes(): number {
    return this.#policy?.stateBytes() ?? 0;
  }

  key(local: number): number {
    return this.#known(local).key(local);
  }

  score(local: number): number {
    return this.#known(local).score(local);
  }

  /** Begins, if it has not begun. Returns whether it has now. */
  begin(): boolean {
    if (this.hasBegun || this.#urls.count === 0) return false;
    this.#note({ type: 'began', known: this.#urls.count, urls: [], hasLinks: false });
    return true;
  }

  /** The page was fetched; `links` are undefined if they are not known. */
  visited(local: number, links: readonly number[] | undefined): void {
    if (links === undefined && this.#visited.has(local)) return;
    const hasLinks = links !== undefined;
    this.#note({ type: 'visited', known: this.#urls.count, urls: [local, ...(links ?? [])], hasLinks });
    this.#isSettled = false;
  }

  /** What has changed since the last call may change further scores now. */
  settle(): void {
    if (this.#isSettled || this.#policy?.settle === undefined) return;
    this.#note({ type: 'settled', known: this.#urls.count, urls: [], hasLinks: false });
    this.#isSettled = true;
  }

  dropped(urls: readonly number[]): void {
    if (urls.length > 0) this.#note({ type: 'dropped', known: this.#urls.count, urls, hasLinks: false });
  }

  /** Applies an event, when it happens or when it is read from the store. */
  apply({ type, known, urls, hasLinks }: Event): void {
    this.#knowUntil(known);
    switch (type) {
      case 'began':
        this.#begin(known);
        break;
      case 'visited':
        this.#visit(urls[0], urls.slice(1), hasLinks);
        break;
      case 'settled':
        this.#policy?.settle?.((local) => { this.#urls.touch(local); });
        break;
      case 'dropped':
        for (const local of urls) {
          if (this.hasBegun) this.#policy!.failed?.(local);
          else this.#dropped.add(local);
        }
    }
  }

  #note(event: Event): void {
    this.#urls.note(event);
    this.apply(event);
  }

  #begin(count: number): void {
    const seeds = Array.from({ length: count }, (_, local) => local).filter((local) => !this.#dropped.has(local));
    this.#policy = this.#make(Math.max(1, seeds.length));
    this.#knowUntil(count);
    for (const local of seeds) this.#policy.amounts?.seed?.(local);
    for (const local of this.#dropped) this.#policy.failed?.(local);
    this.#dropped.clear();
  }

  #visit(local: number, links: readonly number[], hasLinks: boolean): void {
    const policy = this.#policy!;
    const { amounts } = policy;
    const isFirst = !this.#visited.has(local);
    this.#visited.add(local);
    if (hasLinks && amounts !== undefined && (isFirst || amounts.cash !== undefined)) {
      const share = amounts.spread(local, links.length);
      for (const link of links) amounts.credit(link, share);
      for (const link of links) this.#urls.touch(link);
    }
    if (isFirst) policy.fetched?.(local, Uint32Array.from(links), links.length);
  }

  #known(local: number): Policy {
    this.#knowUntil(local + 1);
    return this.#policy!;
  }

  #knowUntil(count: number): void {
    if (this.#policy === undefined) return;
    for (; this.#ranked < count; this.#ranked++)
      this.#policy.know(this.#ranked, this.#ranked, this.#urls.queueOf(this.#ranked));
  }
}
