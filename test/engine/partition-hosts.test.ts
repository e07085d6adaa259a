import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGraph } from '../../src/catalogue/index.ts';
import { parseExperiment } from '../../src/settings/index.ts';
import { partitionHosts, settleSeeds } from '../../src/engine/index.ts';
import { tries } from '../sweep.ts';

test('what is kept of the last partition is never that of other settings or another reach', async () => {
  const graph = await openGraph('docs-web');
  const settings = fc.record({
    partition: fc.constantFrom('host-hash', 'consistent', 'lpt'),
    partitionPoints: fc.constantFrom(1, 100),
    processors: fc.constantFrom(2, 3),
    seedPages: fc.constantFrom(0, 20_000).map((page) => [page]),
  });
  fc.assert(fc.property(fc.array(settings, { minLength: 20, maxLength: 20 }), (runs) => {
    for (const run of runs) {
      const experiment = parseExperiment(run);
      const { reachable } = settleSeeds(graph, experiment);
      // Of a graph that nothing is kept of.
      const afresh = { ...graph };
      expect(partitionHosts(graph, experiment, reachable)).toEqual(
        partitionHosts(afresh, experiment, settleSeeds(afresh, experiment).reachable),
      );
    }
  }), { seed: 1, numRuns: tries(20) });
});
