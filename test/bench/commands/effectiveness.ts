import { bm25, bm25f, bm25fDefaults, compass, openIndex, type Bm25fOptions } from '../../../src/search/index.ts';
import {
  bootstrap, differenceOf, intervalOf, Judge, measureNames, measuresOf, querySets, type Measure, type ResampledInterval,
} from '../../../src/search/judge/index.ts';

export interface EffectivenessReport {
  readonly tuned: Bm25fOptions;
  /** Mean of what was tuned by, before and after. */
  readonly objective: readonly [before: number, after: number];
  readonly rows: readonly {
    readonly set: string;
    readonly measure: string;
    readonly queries: number;
    readonly rankings: Readonly<Record<string, ResampledInterval>>;
    /** The tuned BM25F minus Compass. */
    readonly difference: ResampledInterval;
  }[];
}

/** What a parameter may become: about the greatest of published settings (Craswell et al., TREC 2004 and 2005). */
const MAX_WEIGHT = 40;
const MAX_K1 = 10;

/** The sets that parameters are tuned by: titles would teach a ranking to look away from titles. */
const tunedBy = ['uniform', 'byLinks'] as const;

/**
 * Tunes BM25F on one half of the queries drawn from an index, and judges rankings by the other, on the whole index.
 *
 * Coordinate ascent: each parameter in turn is multiplied and divided by 1.5 while that helps, until a round over all
 * of them helps nothing. Parameters are bound: the titles of documentation are the texts of links to it, and without a
 * bound their weight grows for ever, which says nothing of other pages.
 */
export async function benchEffectiveness(
  path: string, maxQueries: number, rounds: number, say: (text: string) => void,
): Promise<EffectivenessReport> {
  const index = await openIndex(path, { cacheBytes: 1 << 29 });
  try {
    const judge = new Judge(index, { seed: 1, maxQueries });
    const objectiveOf = (options: Bm25fOptions): number => tunedBy.reduce((sum, set) => {
      const values = judge.wholeIndex(bm25f(options), set, 'tune')['reciprocalRank'];
      return sum + values.reduce((total, value) => total + value, 0) / Math.max(1, values.length) / tunedBy.length;
    }, 0);
    const before = objectiveOf(bm25fDefaults);
    const [tuned, after] = ascended(before, objectiveOf, rounds, say);
    const rankings = [compass, bm25f(tuned), bm25f(), bm25()];
    const names = ['compass', 'bm25f tuned', 'bm25f', 'bm25'];
    const rows = querySets.flatMap((set) => {
      if (judge.drawn.sets[set].judge.length === 0) return [];
      const found = rankings.map((ranking) => judge.wholeIndex(ranking, set, 'judge'));
      return measuresOf(set).map((measure: Measure) => {
        const resampled = bootstrap(found.map((values) => [values[measure]]), { seed: 1, resamples: 2000 });
        return {
          set, measure: measureNames[measure], queries: found[0][measure].length,
          rankings: Object.fromEntries(names.map((name, i) => [name, intervalOf(resampled[i])])),
          difference: differenceOf(resampled[0], resampled[1]),
        };
      });
    });
    return { tuned, objective: [before, after], rows };
  } finally {
    index.close();
  }
}

function ascended(
  start: number, objectiveOf: (options: Bm25fOptions) => number, rounds: number, say: (text: string) => void,
): [Bm25fOptions, number] {
  const options = structuredClone(bm25fDefaults) as { k1: number; weights: object; b: object; prior: object };
  const places: [owner: Record<string, number>, name: string, most: number][] = [
    [options as unknown as Record<string, number>, 'k1', MAX_K1],
    ...[options.weights, options.b, options.prior].flatMap((owner) => Object.keys(owner)
      .map((name): [Record<string, number>, string, number] =>
        [owner as Record<string, number>, name, owner === options.b ? 1 : MAX_WEIGHT])),
  ];
  let best = start;
  for (let round = 0, before = -1; round < rounds && best > before; round++) {
    before = best;
    for (const [owner, name, most] of places) {
      for (const factor of [1.5, 1 / 1.5]) {
        for (;;) {
          const value = owner[name];
          owner[name] = Math.min(most, value * factor);
          const now = owner[name] === value ? -1 : objectiveOf(options as Bm25fOptions);
          if (now <= best) {
            owner[name] = value;
            break;
          }
          best = now;
          say(`round ${round + 1}: ${name} ${owner[name].toFixed(3)}: ${best.toFixed(4)}`);
        }
      }
    }
  }
  return [options as Bm25fOptions, best];
}

export function effectivenessText({ tuned, objective, rows }: EffectivenessReport): string {
  const shown = ({ mean, low, high }: ResampledInterval): string =>
    `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return [
    `MRR@10 on the tuning half: ${objective[0].toFixed(4)} before, ${objective[1].toFixed(4)} after`,
    JSON.stringify(tuned),
    ...rows.flatMap(({ set, measure, queries, rankings, difference }) => [
      `${measure}, ${set}, ${queries} queries`,
      ...Object.entries(rankings).map(([name, interval]) => `  ${name.padEnd(12)} ${shown(interval)}`),
      `  tuned bm25f - compass: ${shown(difference)}`,
    ]),
  ].join('\n');
}
