import { InputError, nearest } from '../../../base/index.ts';
import {
  componentAlgorithms, distanceAlgorithms, type Growing, type GrowingAlgorithm,
} from '../../../graphs/graph/growing/index.ts';

/** The two results that stay correct: distances of all pairs (`--apsp`), strong components (`--scc`). */
export type Kind = 'distances' | 'components';

/** An algorithm as it is measured: as it is, or, if it can, on several arcs at a time. */
export interface Entrant {
  readonly kind: Kind;
  /** As flags name it: "johnson", "johnson-batch". */
  readonly name: string;
  readonly title: string;
  /** SPAWC's number; null if it has none. */
  readonly number: number | null;
  /** Its name in the registry of its kind. */
  readonly algorithm: string;
  /** Arcs between two computations. */
  readonly threshold: number;
  /** Operations of a whole sequence, about: to begin with what ends soon. */
  readonly expectedCost: (pages: number, arcs: number) => number;
}

const flags: Readonly<Record<Kind, string>> = { distances: '--apsp', components: '--scc' };

/** SPAWC's numbers of algorithms that its text leaves out, and what it calls them. */
const undescribed: Readonly<Record<Kind, Readonly<Record<number, string>>>> = {
  distances: { 5: 'Algorithm 2', 8: 'batch Algorithm 3', 9: 'batch Algorithm 4' },
  components: { 8: 'Algorithm 2', 9: 'Algorithm 3' },
};

export function algorithmsOf(kind: Kind): readonly GrowingAlgorithm<Growing>[] {
  return kind === 'distances' ? distanceAlgorithms : componentAlgorithms;
}

/** All entrants of a kind. @param threshold - arcs between two computations, of the batch forms. */
export function entrantsOf(kind: Kind, threshold: number): Entrant[] {
  return algorithmsOf(kind).flatMap((algorithm) => {
    const [single = null, batch = null] = algorithm.numbers;
    const { name, title } = algorithm;
    const cost = (t: number): Entrant['expectedCost'] => (pages, arcs) => {
      const search = (kind === 'distances' ? pages : 1) * (pages + arcs / 2);
      return (arcs / t) * (algorithm.isNaive ? pages ** 3 : algorithm.isBatch ? search : pages);
    };
    const entrant = { kind, algorithm: name };
    const alone = { ...entrant, name, title, number: single, threshold: 1, expectedCost: cost(1) };
    return !algorithm.isBatch ? [alone] : [alone, {
      ...entrant, name: `${name}-batch`, title: `${title}, batch`, number: batch, threshold,
      expectedCost: cost(threshold),
    }];
  });
}

/**
 * The entrants that a user names, in the order of the registry.
 * @param words - names, or SPAWC's numbers.
 * @throws InputError for any other; for the numbers of algorithms that SPAWC does not describe, with that reason.
 */
export function chosenEntrants(kind: Kind, words: readonly string[], threshold: number): Entrant[] {
  const all = entrantsOf(kind, threshold);
  const choice = new Set(words.map((word) => {
    const entrant = all.find(({ name, number }) => word === name || (number !== null && word === String(number)));
    if (entrant !== undefined) return entrant;
    const reason = Object.entries(undescribed[kind]).find(([number]) => number === word)?.[1];
    if (reason !== undefined) {
      throw new InputError(
        `${flags[kind]} ${word}: SPAWC's text does not describe its ${reason}, so it cannot be built; our pruned form ` +
          `of Algorithm 1 stands in: ${flags[kind]} pruned`,
      );
    }
    const near = nearest(word, all.map(({ name }) => name));
    const names = all.map(({ name, number }) => (number === null ? name : `${name} (${number})`)).join(', ');
    throw new InputError(
      `${flags[kind]} ${word}: must be one of ${names}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }));
  return all.filter((entrant) => choice.has(entrant));
}

/** Whether it is SPAWC's Algorithm 1, with blocks of 64 bits if it has blocks; ratios compare with it. */
export function isAlgorithm1({ kind, number }: { readonly kind: Kind; readonly number: number | null }): boolean {
  return number === (kind === 'distances' ? 4 : 7);
}
