import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoresChecksum } from '../../src/graphs/formats/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { InputError } from '../../src/base/index.ts';
import { assertCrawls, crawlCases, plainPageRank } from '../engine/random-crawls.ts';

// Goal: policy `scores` is policy `pagerank` with the scores that it is given, and a record says which scores those
// were.

const crawls = fc.record({ at: crawlCases({ pages: [2, 40], hosts: [1, 6], seedPages: [1, 3] }), seed: fc.nat() });

describe('policy scores', () => {
  test('crawls as policy pagerank does where it is given the same ranks, and replays from its record', async () => {
    await assertCrawls('given-scores.test.ts', crawls, 40, async ({ at: { graph, seedPages }, seed }) => {
      const ranks = plainPageRank(graph);
      const scores = { file: 'ranks.f64', values: ranks };
      const settings = { seedPages, seed, superstepLimit: 5, processors: 2 };
      const byRank = await simulate(graph, { ...settings, policy: 'pagerank' }, { ranks });
      const { run } = await simulate(graph, { ...settings, policy: 'scores' }, { scores });
      expect(run.replayHash).toBe(byRank.run.replayHash);
      expect(run.experiment.scores).toEqual({ file: 'ranks.f64', sha256: scoresChecksum(ranks) });
      expect(byRank.run.experiment.scores).toBeUndefined();

      const again = await simulate(graph, run.experiment, { scores: { ...scores, file: 'copy.f64' } });
      expect(again.run.replayHash).toBe(run.replayHash);
      const others = { file: 'others.f64', values: ranks.map((rank) => rank + 1) };
      await expect(simulate(graph, run.experiment, { scores: others })).rejects.toThrow(
        /others\.f64: does not have the scores that the experiment names: their SHA-256 is/,
      );
    });
  });

  test('needs a score for each page', async () => {
    const [{ graph }] = fc.sample(crawlCases({ pages: [3, 3], hosts: [1, 1], seedPages: [1, 1] }), {
      numRuns: 1, seed: 1,
    });
    const values = new Float64Array(2);
    await expect(simulate(graph, { policy: 'scores' })).rejects.toThrow(InputError);
    await expect(simulate(graph, { policy: 'scores' }, { scores: { file: 'two.txt', values } })).rejects.toThrow(
      /two\.txt: has 2 scores for the 3 pages/,
    );
  });
});
