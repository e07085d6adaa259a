import { assert } from '../../base/index.ts';
import { kendallTauB } from '../../core/measure/index.ts';
import type { Corpus, Ranking, SearchIndex } from '../index.ts';
import {
  bestOf, bootstrap, differenceOf, intervalOf, meanOf, type BootstrapOptions, type Resampled, type ResampledInterval,
} from './figures/bootstrap.ts';
import { valueOf, type Measure } from './figures/measures.ts';
import { linkTable, type LinkTable } from './links/link-table.ts';
import {
  drawQueries, querySets, type DrawnQueries, type DrawOptions, type Half, type JudgedQuery, type QuerySetName,
} from './queries/draw-queries.ts';
import { FetchedSoFar } from './ranks/fetched.ts';
import { firstTargets, orderRanks } from './ranks/order-ranks.ts';
import { WithoutField } from './views/without-field.ts';
import { WithoutLinks } from './views/without-links.ts';

/** After which shares of the pages an order is judged. */
export const judgedShares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** A policy, by the orders in which it fetched pages: one, or one per seed where it draws. */
export interface JudgedPolicy {
  readonly name: string;
  readonly orders: readonly {
    /** Pages of the index, or NOT_INDEXED for a page that is not in it. */
    readonly pages: Uint32Array;
    /** PageRank gathered after 1, 2, ... pages, in any unit that all orders share. */
    readonly cumulativeRank: Float64Array;
  }[];
}

/** A figure after each prefix. */
export interface EffectivenessCurve {
  readonly policy: string;
  readonly points: readonly ResampledInterval[];
}

/** The policy that serves searchers best after a prefix. */
export interface ServedBest {
  readonly policy: string;
  /** Policies that may do as well: their paired difference is 0, or has 0 in its 95 % interval. */
  readonly rivals: readonly string[];
}

/** The figures of a measure over a set of queries. */
export interface SetFigures {
  readonly set: QuerySetName;
  readonly measure: Measure;
  readonly queries: number;
  readonly policies: readonly EffectivenessCurve[];
  /** The mean of each order of each policy: `means[policy][order][prefix]`. */
  readonly means: readonly (readonly (readonly number[])[])[];
  /** Each policy but the first, minus the first. */
  readonly differences: readonly EffectivenessCurve[];
  /** After each prefix, of the policies that a crawler can follow. */
  readonly best: readonly ServedBest[];
  /**
   * After each prefix, Kendall's tau-b over the policies between this measure and the PageRank gathered; null where all
   * policies tie in one of them, or there are fewer than two.
   */
  readonly agreement: readonly (ResampledInterval | null)[];
}

export interface Effectiveness {
  readonly ranking: string;
  /** Pages of an order that are judged: as many as the shortest has. */
  readonly horizonPages: number;
  /** Pages per prefix. */
  readonly prefixes: readonly number[];
  /** PageRank gathered after each prefix, mean over the seeds of each policy. */
  readonly gathered: readonly { readonly policy: string; readonly ranks: readonly number[] }[];
  readonly sets: readonly SetFigures[];
}

interface JudgeOptions extends BootstrapOptions {
  readonly half: Half;
  readonly hasOwnRanks: boolean;
  /** Names of policies that know beforehand what a crawler cannot know; they are the best only if all do. */
  readonly oracles?: readonly string[] | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Judges orders of the pages of an index: draws queries, and removes the links from which they were drawn. */
export class Judge {
  /** The index without the words of the drawn links. */
  readonly corpus: Corpus;
  readonly drawn: DrawnQueries;
  readonly #index: SearchIndex;
  readonly #table: LinkTable;
  #withoutTitles: Corpus | undefined;

  /** Cost   O(links of the index). */
  constructor(index: SearchIndex, options: DrawOptions) {
    this.#index = index;
    this.#table = linkTable(index);
    this.drawn = drawQueries(index, this.#table, options);
    this.corpus = new WithoutLinks(index, this.#table, this.drawn.removedLinks);
  }

  /** The corpus in which the queries of a set are searched. */
  corpusOf(set: QuerySetName): Corpus {
    return set === 'titles' ? (this.#withoutTitles ??= new WithoutField(this.corpus, 'title')) : this.corpus;
  }

  /**
   * How well searchers are served after shares of the pages, under each policy (Fetterly, Craswell & Vinay, SIGIR
   * 2009), with intervals.
   *
   * @param policies at least one; all are judged over as many pages as the shortest order has.
   * @param options with `onProgress`, which hears which share of the searches is done.
   * Cost   as `orderRanks`, and as the bootstrap.
   */
  effectiveness(
    ranking: Ranking, policies: readonly JudgedPolicy[],
    { half, hasOwnRanks, oracles = [], onProgress, ...options }: JudgeOptions,
  ): Effectiveness {
    const orders = policies.flatMap((policy) => policy.orders.map(({ pages }) => pages));
    assert(orders.length > 0, 'an order to judge');
    const horizonPages = Math.min(...orders.map(({ length }) => length));
    const prefixes = prefixesOf(horizonPages);
    const fetched = new FetchedSoFar(this.#index, this.#table, this.drawn.removedLinks, hasOwnRanks);
    const gathered = policies.map((policy) => ({
      policy: policy.name,
      ranks: prefixes.map((prefix) => meanOf(policy.orders.map((order) => order.cumulativeRank[prefix - 1]))),
    }));
    const allQueries = querySets.reduce((sum, set) => sum + this.drawn.sets[set][half].length, 0);
    const names = policies.map(({ name }) => name);
    let judged = 0;
    const sets = querySets.flatMap((set): SetFigures[] => {
      const queries = this.drawn.sets[set][half];
      if (queries.length === 0) return [];
      const { documentOfPage } = this.#index;
      const ranked = orderRanks({
        corpus: this.corpusOf(set), ranking, queries, fetched, documentOfPage, orders, prefixes,
        onProgress: onProgress && ((share) => onProgress((judged + share * queries.length) / allQueries)),
      });
      judged += queries.length;
      let next = 0;
      const ofPolicies = policies.map((policy) => ranked.slice(next, next += policy.orders.length));
      return measuresOf(set).map((measure) => {
        const values = ofPolicies.map((of) => of.map(({ ranks }) => ranks.map((at) => valuesOf(measure, queries, at))));
        return {
          set, measure, queries: queries.length,
          ...figuresOf(names, oracles, values, gathered.map(({ ranks: at }) => at), options),
        };
      });
    });
    return { ranking: ranking.name, horizonPages, prefixes, gathered, sets };
  }

  /** The mean of each measure of a set on the whole index, for one half of its queries. */
  wholeIndex(ranking: Ranking, set: QuerySetName, half: Half): Record<string, Float64Array> {
    const queries = this.drawn.sets[set][half];
    const [{ ranks: [whole] }] = orderRanks({
      corpus: this.corpusOf(set), ranking, queries, documentOfPage: this.#index.documentOfPage,
      fetched: new FetchedSoFar(this.#index, this.#table, this.drawn.removedLinks, false),
      orders: [Uint32Array.from({ length: this.#index.pages }, (_, page) => page)], prefixes: [this.#index.pages],
    });
    return Object.fromEntries(measuresOf(set).map((measure) => [measure, valuesOf(measure, queries, whole)]));
  }
}

/** Pages per judged share of a horizon; at least one. */
export function prefixesOf(horizonPages: number): number[] {
  return judgedShares.map((share) => Math.min(horizonPages, Math.max(1, Math.round(share * horizonPages))));
}

/** The measures of a set: gain counts if queries have several targets, otherwise the target's rank. */
export function measuresOf(set: QuerySetName): Measure[] {
  return set === 'ambiguous' ? ['ndcgAt10'] : ['reciprocalRank', 'successAt1', 'successAt10'];
}

function valuesOf(measure: Measure, queries: readonly JudgedQuery[], ranks: Uint32Array): Float64Array {
  const starts = firstTargets(queries);
  return Float64Array.from(queries, (query, i) => valueOf(measure, query, ranks.subarray(starts[i], starts[i + 1])));
}

/**
 * @param values `values[policy][seed][prefix][query]`.
 * @param gathered `gathered[policy][prefix]`.
 */
function figuresOf(
  names: readonly string[], oracles: readonly string[],
  values: readonly (readonly (readonly Float64Array[])[])[],
  gathered: readonly (readonly number[])[], options: BootstrapOptions,
): Pick<SetFigures, 'policies' | 'means' | 'differences' | 'best' | 'agreement'> {
  const possible = [...names.keys()].filter((policy) => !oracles.includes(names[policy]));
  const resampled = judgedShares.map((_, prefix) =>
    bootstrap(values.map((seeds) => seeds.map((at) => at[prefix])), options));
  return {
    policies: names.map((policy, i) => ({ policy, points: resampled.map((at) => intervalOf(at[i])) })),
    means: values.map((seeds) => seeds.map((at) => at.map(meanOf))),
    differences: names.slice(1).map((policy, i) => ({
      policy, points: resampled.map((at) => differenceOf(at[0], at[i + 1])),
    })),
    best: resampled.map((at): ServedBest => {
      const { best, rivals } = bestOf(at, possible.length === 0 ? [...names.keys()] : possible);
      return { policy: names[best], rivals: rivals.map((rival) => names[rival]) };
    }),
    agreement: resampled.map((at, prefix) =>
      agreementOf(at, gathered.map((ranks) => ranks[prefix]))),
  };
}

function agreementOf(policies: readonly Resampled[], gathered: readonly number[]): ResampledInterval | null {
  const mean = tauOf(policies.map((policy) => policy.mean), gathered);
  if (mean === null) return null;
  const all = Array.from(policies[0].values, (_, resample) =>
    tauOf(policies.map(({ values }) => values[resample]), gathered));
  return intervalOf({ mean, values: Float64Array.from(all.filter((tau) => tau !== null)) });
}

function tauOf(a: readonly number[], b: readonly number[]): number | null {
  // Scores that are all 0 order nothing.
  const isOrdering = [a, b].every((scores) => scores.some((score) => score > 0));
  return isOrdering ? kendallTauB(Float64Array.from(a), Float64Array.from(b)) : null;
}
