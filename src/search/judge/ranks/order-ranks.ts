import type { Corpus, Ranking } from '../../index.ts';
import type { JudgedQuery } from '../queries/draw-queries.ts';
import { FetchedPart, type Fetched } from '../views/fetched-part.ts';
import type { FetchedSoFar } from './fetched.ts';
import { documentsBefore, rankOf } from './target-ranks.ts';
import { WatchedCorpus } from './watched-corpus.ts';

/** The ranks of all targets of all queries, after each prefix of an order. */
export interface OrderRanks {
  /** `ranks[prefix][target]`, targets query by query; 0 for one that is not found. */
  readonly ranks: readonly Uint32Array[];
}

export interface RanksInput {
  /** The whole index, without the removed links. */
  readonly corpus: Corpus;
  readonly ranking: Ranking;
  readonly queries: readonly JudgedQuery[];
  readonly fetched: FetchedSoFar;
  readonly documentOfPage: Uint32Array;
  /** Each a list of pages of the index, or NOT_INDEXED. */
  readonly orders: readonly Uint32Array[];
  /** Pages per prefix, ascending; no order is shorter. */
  readonly prefixes: readonly number[];
  /** Called with the share of the rankings that is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Ranks of every query after every prefix of every order. A query is ranked once on the whole index. If the ranking
 * looked at nothing that depends on the order (the words of links, their number, or the PageRank of the part), a
 * document's score is the same in each part, and a target's rank is 1 + the documents before it that were fetched.
 * Other queries are ranked where one of their targets was fetched and the part is not the whole.
 *
 * Cost   a ranking per query; then per order O(documents before the targets), or a ranking per prefix.
 */
export function orderRanks(input: RanksInput): OrderRanks[] {
  const { corpus, ranking, queries, fetched, orders, prefixes, onProgress } = input;
  const parts = orders.length * prefixes.length;
  let ranked = 0;
  const count = (rankings: number): void => {
    ranked += rankings;
    onProgress?.(ranked / (queries.length * (1 + parts)));
  };
  const starts = firstTargets(queries);
  const ranksOf = orders.map(() => prefixes.map(() => new Uint32Array(starts[queries.length])));
  const firstPrefix = orders.map((order) => firstPrefixes(order, prefixes, input.documentOfPage, corpus.documents));
  const wholeRanks = new Uint32Array(starts[queries.length]);
  const open: number[] = [];
  queries.forEach(({ words, targets }, query) => {
    const watched = new WatchedCorpus(corpus, fetched.hasOwnRanks);
    const scored = ranking.rank(watched, words);
    if (watched.dependsOnOrder) open.push(query);
    targets.forEach((target, i) => {
      const place = starts[query] + i;
      wholeRanks[place] = rankOf(scored, target);
      if (watched.dependsOnOrder) return;
      const others = documentsBefore(scored, target);
      if (others === undefined) return;
      firstPrefix.forEach((prefixOf, order) => { ranksAmongFetched(prefixOf, target, others, ranksOf[order], place); });
    });
    count(watched.dependsOnOrder ? 1 : 1 + parts);
  });
  if (open.length > 0) {
    orders.forEach((order, at) => {
      let prefix = 0;
      for (const part of fetched.after(order, prefixes)) {
        const ranks = ranksOf[at][prefix++];
        if (!fetched.hasOwnRanks && !part.pages.includes(0)) {
          copyTargets(open, starts, wholeRanks, ranks);
          count(open.length);
        } else rankOpen(input, open, starts, part, { ranks, count });
      }
    });
  }
  return ranksOf.map((ranks) => ({ ranks }));
}

/** Place of the first target of each query among all targets, and their number. */
export function firstTargets(queries: readonly JudgedQuery[]): Uint32Array {
  const starts = new Uint32Array(queries.length + 1);
  queries.forEach(({ targets }, query) => { starts[query + 1] = starts[query] + targets.length; });
  return starts;
}

function rankOpen(
  { corpus, ranking, queries }: RanksInput, open: readonly number[], starts: Uint32Array, part: Fetched,
  { ranks, count }: { readonly ranks: Uint32Array; readonly count: (rankings: number) => void },
): void {
  const view = new FetchedPart(corpus, part);
  for (const query of open) {
    count(1);
    const { words, targets } = queries[query];
    if (!targets.some((target) => part.documents[target] === 1)) continue;
    const scored = ranking.rank(view, words);
    targets.forEach((target, i) => { ranks[starts[query] + i] = rankOf(scored, target); });
  }
}

function copyTargets(queries: readonly number[], starts: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (const query of queries)
    for (let place = starts[query]; place < starts[query + 1]; place++) to[place] = from[place];
}

/** The first prefix that has each document; `prefixes.length` for one that none has. O(pages). */
function firstPrefixes(
  order: Uint32Array, prefixes: readonly number[], documentOfPage: Uint32Array, documents: number,
): Uint8Array {
  const first = new Uint8Array(documents).fill(prefixes.length);
  let prefix = 0;
  for (let place = 0; place < prefixes[prefixes.length - 1]; place++) {
    while (place >= prefixes[prefix]) prefix++;
    const document = documentOfPage[order[place]] as number | undefined;
    if (document !== undefined && first[document] === prefixes.length) first[document] = prefix;
  }
  return first;
}

/** Ranks of a target after each prefix that has it, by how many of the documents before it each has. */
function ranksAmongFetched(
  prefixOf: Uint8Array, target: number, others: Uint32Array, ranks: readonly Uint32Array[], place: number,
): void {
  // The last is of documents that no prefix has.
  const counts = new Uint32Array(ranks.length + 1);
  for (const other of others) counts[prefixOf[other]]++;
  let rank = 1;
  for (let prefix = 0; prefix < ranks.length; prefix++) {
    rank += counts[prefix];
    if (prefix >= prefixOf[target]) ranks[prefix][place] = rank;
  }
}
