import { describe, expect, test, vi } from 'vitest';
import {
  componentAlgorithms, distanceAlgorithms, type Growing, type GrowingAlgorithm, type GrowingComponents,
  type GrowingDistances,
} from '../../../src/graphs/graph/growing/index.ts';
import { expectLarge, type ArcSequence } from '../../conformance/growing.ts';
import { docsWeb } from '../../docs-web.ts';
import { isFullSweep } from '../../sweep.ts';
import { crawlArcs } from './crawl-arcs.ts';

// Goal: algorithms are right on the arcs of a real crawl, where most pages reach each other early.

/** Without a matrix. */
const linear = ['tarjan', 'two-way'];
const kernels = ['insertion', 'pruned'];
const CHECKS = 8;

/** Adds all arcs, and compares with searches after each eighth of them. */
function expectRight(
  sequence: ArcSequence, distances: GrowingDistances | undefined, components: GrowingComponents | undefined,
): void {
  const { pages, arcs } = sequence;
  const between = Math.ceil(arcs.length / CHECKS);
  for (const [at, [source, target]] of arcs.entries()) {
    distances?.addArc(source, target);
    components?.addArc(source, target);
    if ((at + 1) % between !== 0 && at + 1 < arcs.length) continue;
    for (const growing of [distances, components]) growing?.update();
    expectLarge(distances, components, { pages, arcs: arcs.slice(0, at + 1) });
  }
}

describe('on the arcs of docs-web', () => {
  const large = crawlArcs(docsWeb, isFullSweep ? 2000 : 600);
  const small = crawlArcs(docsWeb, isFullSweep ? 200 : 60);
  const tiny = crawlArcs(docsWeb, 16);
  const fast = ['pruned', 'two-way'];
  const sequenceFor = ({ name, isNaive }: GrowingAlgorithm<Growing>): ArcSequence =>
    isNaive ? tiny : fast.includes(name) ? large : small;

  test('the sequence is that of a crawl', () => {
    const { pages, arcs } = crawlArcs(docsWeb, 2000);
    expect([pages, arcs.length]).toEqual([2000, 443_763]);
    // Every arc enters together with the later of its pages.
    const latest = arcs.map((arc) => Math.max(...arc));
    expect(latest).toEqual(latest.toSorted((a, b) => a - b));
  });

  test.each(distanceAlgorithms)('distances: $name', (algorithm) => {
    const sequence = sequenceFor(algorithm);
    expectRight(sequence, algorithm.make(sequence.pages, 7), undefined);
  });

  test.each(componentAlgorithms)('components: $name', (algorithm) => {
    const sequence = sequenceFor(algorithm);
    expectRight(sequence, undefined, algorithm.make(sequence.pages, 7));
  });
});

describe('a matrix beyond memory', () => {
  const withMatrix = [...distanceAlgorithms, ...componentAlgorithms.filter(({ name }) => !linear.includes(name))];

  test.each(withMatrix)('$title: is refused before it is allocated, with its bytes', (algorithm) => {
    const available = vi.spyOn(process, 'availableMemory').mockReturnValue(1000);
    try {
      expect(() => algorithm.make(100, 1)).toThrow(
        /^100 pages: the (distance|closure) of all pairs needs \d{4,} bytes; 1000 bytes are free$/,
      );
    } finally {
      available.mockRestore();
    }
  });

  test('is refused where a kernel has too few addresses for it', () => {
    const available = vi.spyOn(process, 'availableMemory').mockReturnValue(2 ** 50);
    try {
      for (const algorithm of distanceAlgorithms.filter(({ name }) => kernels.includes(name)))
        expect(() => algorithm.make(50_000, 1), algorithm.name).toThrow(/of 50000 pages takes 5\d{9} bytes/);
      expect(() => distanceAlgorithms[0].make(65_535, 1)).toThrow('can have 65534 at most');
    } finally {
      available.mockRestore();
    }
  });
});
