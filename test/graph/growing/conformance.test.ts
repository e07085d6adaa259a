import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import {
  componentAlgorithms, distanceAlgorithms, type Growing, type GrowingAlgorithm,
} from '../../../src/graphs/graph/growing/index.ts';
import { expectComponents, expectDistances, grow, type Arc, type ArcSequence } from '../../conformance/growing.ts';
import { replayCommand, tries } from '../../sweep.ts';

// Goal: each algorithm is right after every arc, whatever the arcs and their order.

const SEQUENCES = tries(2400);
const first = Number(process.env['ORBWEAVER_SEED'] ?? 0);
const seeds = process.env['ORBWEAVER_SEED'] === undefined ? SEQUENCES : 1;

/** From sparse to dense, spread or among few pages, with loops and repeated arcs. */
function drawnSequence(seed: number, maxPages: number): ArcSequence {
  const stream = new DrawStream(seed, 'growing graph');
  const below = (limit: number, ...at: [number, number?]): number => stream.uint32(...at) % limit;
  const pages = 1 + below(maxPages, 0);
  const length = below(1 + Math.ceil(pages * [0.8, 1.5, 4][below(3, 1)]), 2);
  const reach = [pages, Math.max(1, pages >> 2), 3][below(3, 3)];
  const arcs = Array.from({ length }, (_, at): Arc => {
    const source = below(pages, at + 4, 1);
    const isNear = below(4, at + 4, 3) > 0;
    return [source, isNear ? (source + below(2 * reach, at + 4, 2)) % pages : below(pages, at + 4, 2)];
  });
  return { pages, arcs };
}

describe.each(distanceAlgorithms)('distances: $name', (algorithm) => {
  test('are those of breadth-first searches after every arc', () => {
    eachSeed(algorithm.isNaive, ({ pages, arcs }) => {
      const distances = algorithm.make(pages, 1);
      grow(distances, arcs, (added) => expectDistances(distances, added));
    });
  });

  test.runIf(algorithm.isBatch)('with a threshold are right after the rest of the arcs', () => {
    eachSeed(true, ({ pages, arcs }) => {
      const distances = algorithm.make(pages, 3);
      for (const [source, target] of arcs) distances.addArc(source, target);
      distances.update();
      expectDistances(distances, arcs);
    });
  });

  refusals(algorithm);
});

describe.each(componentAlgorithms)('components: $name', (algorithm) => {
  test('are the pages that reach each other, after every arc', () => {
    eachSeed(algorithm.isNaive, ({ pages, arcs }) => {
      const components = algorithm.make(pages, 1);
      grow(components, arcs, (added) => expectComponents(components, added));
    });
  });

  test.runIf(algorithm.isBatch)('with a threshold are right after the rest of the arcs', () => {
    eachSeed(true, ({ pages, arcs }) => {
      const components = algorithm.make(pages, 3);
      for (const [source, target] of arcs) components.addArc(source, target);
      components.update();
      expectComponents(components, arcs);
    });
  });

  refusals(algorithm);
});

function eachSeed(isSmall: boolean, check: (sequence: ArcSequence) => void): void {
  for (let seed = first; seed < first + seeds; seed++) {
    // One in ten is large: a search from every page after every arc takes its time.
    const maxPages = isSmall ? 16 : seed % 10 === 0 ? 64 : 20;
    try {
      check(drawnSequence(seed, maxPages));
    } catch (error) {
      throw new Error(replayCommand(seed, 'test/graph/growing/conformance.test.ts'), { cause: error });
    }
  }
}

function refusals(algorithm: GrowingAlgorithm<Growing>): void {
  test.each([[0, 5], [5, 0], [-1, 0], [0, 1.5], [NaN, 0]])('refuses the arc %d -> %d among five pages', (...arc) => {
    expect(() => algorithm.make(5, 1).addArc(...arc)).toThrow(/arc .* is not from 0 to 4/);
  });
}
