import { expect, test } from 'vitest';
import { simulate } from '../../../src/core/engine/index.ts';
import { findingsInWords, limitsInWords } from '../../../src/core/measure/index.ts';
import { docsWebPrepared, docsWebRanks as ranks } from '../../docs-web.ts';

test.each([
  ['frozen', undefined, true], ['frozen', 40, false], ['follow', undefined, false], ['follow', 2 ** 31, false],
] as const)('keys %s, %s pending jobs: says that the queue ordered little, %s', async (pendingKeys, pending, says) => {
  const { run: { summary, experiment } } = await simulate(
    docsWebPrepared, { pendingKeys, pending, maxPages: 4000, statistics: 'off' }, { ranks },
  );
  const words = findingsInWords(summary, experiment);
  expect(words.startsWith(limitsInWords(summary.limits))).toBe(true);
  expect(/ Its queue ordered little: 100 % of the pages that waited were pending jobs/.test(words)).toBe(says);
});
