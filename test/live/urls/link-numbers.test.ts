import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import {
  ELSEWHERE, NodeUrls, Scope, UrlTable, type KnownUrls, type NewPage,
} from '../../../src/core/live/index.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { addedPages, isNothing, LinkNumbers } from '../../../src/core/live/urls/link-numbers.ts';
import { PagesReached } from '../../../src/core/live/urls/pages-reached.ts';
import { OUT_OF_SCOPE } from '../../../src/core/live/urls/scope.ts';
import { ballOf, drawnWeb, limited, redirects, targetsOf, type DrawnWeb, type Reach } from './drawn-web.ts';
import { tries } from '../../sweep.ts';

// Goal: whatever the order in which pages are visited, outcomes observed and messages read, on one machine or several,
// with returns to a checkpoint and processes that end: the pages that become known are those within reach, and their
// depths are the least. Method: a model of the schedulers in which a draw says what happens next.

interface Crawl {
  readonly web: DrawnWeb;
  readonly reach: Reach;
  readonly nodes: number;
  /** Whether a page is sent to its node once, as by policies without amounts. */
  readonly sendsOnce: boolean;
  readonly seed: number;
  /** How often all go back to the last checkpoint, at most. */
  readonly returns: number;
}

const limits = fc.oneof(
  fc.record({ web: drawnWeb(), reach: fc.record({ maxDepth: fc.nat(7), maxRedirects: fc.nat(3) }) }),
  limited(drawnWeb()),
);
const crawl: fc.Arbitrary<Crawl> = fc.tuple(limits, fc.record({
  nodes: fc.integer({ min: 1, max: 3 }), sendsOnce: fc.boolean(), seed: fc.nat(), returns: fc.nat(3),
})).map(([reached, others]) => ({ ...reached, ...others }));

/** What a checkpoint has of a node: ids are its own. */
interface Scheduled {
  readonly known: Set<number>;
  readonly fetched: Set<number>;
  readonly sent: Set<number>;
  /** Visited, and not yet observed; ids of pages that messages name. */
  readonly ended: number[];
  readonly mail: number[];
  /** Ids of pages of others that are to be told of. */
  readonly letters: number[];
}

/** The limits as settings. */
const settingsOf = ({ scope = [], ...reach }: Reach) => ({ ...reach, scope, maxUrlLength: 2048 });

class Node {
  readonly store = new MemoryStore({});
  urls!: KnownUrls;
  numbers!: LinkNumbers;
  state: Scheduled = { known: new Set(), fetched: new Set(), sent: new Set(), ended: [], mail: [], letters: [] };
  readonly #crawl: Crawl;
  readonly #isOwn: (host: string) => boolean;
  readonly #scope: Scope;

  constructor(crawl: Crawl, isOwn: (host: string) => boolean) {
    this.#crawl = crawl;
    this.#isOwn = isOwn;
    this.#scope = new Scope(settingsOf(crawl.reach));
    const seeds = crawl.web.seeds.map((page) => {
      const { url } = crawl.web.pages[page];
      return { url, depth: 0, redirects: 0, hops: this.#scope.hopsOf(url) };
    });
    void this.store.note({ firstPage: 0, pages: seeds });
    this.restart();
    for (const [page, { url }] of seeds.entries()) if (isOwn(new URL(url).host)) this.state.known.add(page);
  }

  /** As a process that has what is stored. */
  restart(): void {
    const here = new UrlTable();
    for (const { url, depth, redirects: inARow, hops } of this.store.pages()) here.add(url, depth, inARow, hops);
    this.urls = new NodeUrls({ store: this.store, here, isOwn: this.#isOwn, maxRecent: 2 });
    this.numbers = new LinkNumbers({
      urls: this.urls, store: this.store, settings: settingsOf(this.#crawl.reach), isOwn: this.#isOwn,
    });
  }

  get toVisit(): number[] {
    const { known, fetched, ended } = this.state;
    return [...known].filter((page) => !fetched.has(page) && !ended.includes(page));
  }

  visit(page: number): void {
    this.state.ended.push(page);
    if (this.store.visit(page) !== undefined) return;
    const { pages } = this.#crawl.web;
    const found = pages.find(({ url }) => url === this.urls.urlOf(page))!;
    const added = addedPages(this.urls);
    const byRedirect = redirects(found);
    // As readers of pages judge them.
    const all = targetsOf(found).map((target) => pages[target].url);
    const followed = this.#scope.maxHops > 0 ? all : all.filter((url) => this.#scope.hopsOf(url) === 0);
    const hops = Uint8Array.from(followed, (url) => Math.min(this.#scope.hopsOf(url), OUT_OF_SCOPE));
    const links = this.numbers.ofPage(page, { links: followed, hops, byRedirect }, added);
    void this.store.note({
      ...added,
      visit: {
        page, kind: 'fetched', bytes: 1, waitUs: 0, finishedAtUs: 1, links, byRedirect, digest: '', warc: undefined,
      },
    });
    this.numbers.stored(added, page);
  }

  observe(page: number): void {
    this.state.fetched.add(page);
    for (const link of this.store.visit(page)!.links) this.#tell(link, this.#crawl.sendsOnce);
    this.#announce(page);
  }

  /** What another node has found. */
  read(page: NewPage): void {
    const added = addedPages(this.urls);
    this.state.mail.push(this.numbers.ofFound(page, added));
    if (!isNothing(added)) void this.store.note(added);
    this.numbers.stored(added);
  }

  receive(page: number): void {
    this.state.known.add(page);
    if (this.state.fetched.has(page)) this.#announce(page);
  }

  #announce(page: number): void {
    for (const reached of this.numbers.reachedThrough(page) ?? []) this.#tell(reached, false);
  }

  #tell(page: number, isOnce: boolean): void {
    const { known, sent, letters } = this.state;
    if (this.#isOwn(this.urls.hostNameOf(page))) known.add(page);
    // Seeds have ids of pages here on each node; they are known where they belong.
    else if (page >= ELSEWHERE && !(isOnce && sent.has(page))) letters.push(page);
    sent.add(page);
  }
}

function copied({ known, fetched, sent, ended, mail, letters }: Scheduled): Scheduled {
  return {
    known: new Set(known), fetched: new Set(fetched), sent: new Set(sent), ended: [...ended], mail: [...mail],
    letters: [...letters],
  };
}

/** Runs the crawl to its end, and returns depths by URL of what was visited. */
function crawled(options: Crawl): Map<string, number> {
  const draws = new DrawStream(options.seed, 'a crawl of drawn order');
  let drawn = 0;
  const below = (count: number): number => Math.floor(draws.uniform(drawn++, 0) * count);
  const nodeOf = (host: string): number => host.charCodeAt(0) % options.nodes;
  const nodes = Array.from({ length: options.nodes }, (_, node) => new Node(options, (host) => nodeOf(host) === node));
  let checkpoint = nodes.map(({ state }) => copied(state));
  const taken = (from: number[]): number => from.splice(below(from.length), 1)[0];
  for (let returns = options.returns; ;) {
    const steps = nodes.flatMap((node) => [
      ...node.toVisit.map((page) => () => { node.visit(page); }),
      ...node.state.ended.map(() => () => { node.observe(taken(node.state.ended)); }),
      ...node.state.mail.map(() => () => { node.receive(taken(node.state.mail)); }),
      ...node.state.letters.map(() => () => {
        const page = taken(node.state.letters);
        const { urls } = node;
        nodes[nodeOf(urls.hostNameOf(page))].read({
          url: urls.urlOf(page), depth: urls.depthOf(page), redirects: urls.redirectsOf(page),
          hops: urls.hopsOf(page),
        });
      }),
    ]);
    if (returns > 0 && below(12) === 0) {
      returns--;
      for (const [i, node] of nodes.entries()) {
        if (below(2) === 0) node.restart();
        else node.numbers.goBack();
        node.state = copied(checkpoint[i]);
      }
    } else if (steps.length === 0) break;
    else if (below(10) === 0) checkpoint = nodes.map(({ state }) => copied(state));
    else steps[below(steps.length)]();
  }
  return new Map(nodes.flatMap(({ urls, state }) => Array.from(
    state.fetched, (page): [string, number] => [urls.urlOf(page), urls.depthOf(page)],
  )));
}

describe('pages that become known', () => {
  test('are those within reach, with their least depths', () => {
    fc.assert(fc.property(crawl, (options) => {
      const { web, reach } = options;
      const expected = Array.from(ballOf(web, reach), ([page, depth]) => [web.pages[page].url, depth] as const);
      expect([...crawled(options)].sort()).toEqual(expected.sort());
    }), { numRuns: tries(4_000) });
  }, 300_000);
});

describe('what was reached through a page', () => {
  const note = async (store: MemoryStore, page: number, ids: Uint32Array): Promise<void> => (
    store.note({ firstPage: 0, pages: [], reached: new Map([[page, ids]]) })
  );

  test('is announced once, as a whole after a return, also what was noted in two notes at once', async () => {
    const store = new MemoryStore({});
    const reached = new PagesReached(store);
    const [first, second] = [reached.add(7, [1, 2]), reached.add(7, [2, 3])];
    expect([[...first], [...second]]).toEqual([[1, 2], [1, 2, 3]]);
    await Promise.all([note(store, 7, first), note(store, 7, second)]);
    expect(reached.take(6)).toBeUndefined();
    expect([...reached.take(7)!]).toEqual([1, 2, 3]);
    expect(reached.take(7)).toBeUndefined();
    await note(store, 7, reached.add(7, [4]));
    expect([...reached.take(7)!]).toEqual([1, 2, 3, 4]);
    reached.goBack();
    for (const one of [reached, new PagesReached(store)]) expect([...one.take(7)!]).toEqual([1, 2, 3, 4]);
  });
});
