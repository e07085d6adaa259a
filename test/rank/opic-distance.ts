import { assert } from '../../src/base/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { l1Distance, opicResidual, opicStep } from '../../src/graphs/rank/verify-opic.ts';

/**
 * L1 distance of `ranks` from the stationary vector, which is found by power iteration to within `accuracy`. At most
 * about (D + 1) ln(4 D / accuracy) steps of O(n + m), far fewer on graphs that mix well; 8 s on docs-web (D = 4,902).
 *
 * @throws AssertionError as `opicResidual`, and where rounding keeps the power iteration from `accuracy`: about 1e-15
 * times the greatest out-degree can always be reached.
 */
export function opicDistance(graph: WebGraph, ranks: Float64Array, accuracy = 1e-4): number {
  opicResidual(graph, ranks); // Checks the ranks.
  const { pages, outOffsets } = graph;
  let greatestDegree = 0;
  for (let page = 0; page < pages; page++) {
    greatestDegree = Math.max(greatestDegree, outOffsets[page + 1] - outOffsets[page]);
  }
  const maxSteps = 2 + Math.ceil((greatestDegree + 1) * Math.log((4 * (greatestDegree + 1)) / accuracy));
  let current = new Float64Array(pages).fill(1 / pages);
  let next = new Float64Array(pages);
  for (let steps = 1; steps <= maxSteps; steps++) {
    opicStep(graph, current, next);
    const residual = l1Distance(current, next);
    [current, next] = [next, current];
    // `current` is one step ahead of the vector that the residual belongs to, hence no farther from the limit.
    if (residual * (greatestDegree + 1) <= accuracy) return l1Distance(current, ranks);
  }
  assert(false, `power iteration on the chain of ${graph.name} has not reached ${accuracy} after ${maxSteps} steps`);
}
