import { expect, test } from 'vitest';
import { bestServed } from '../../../src/cli/text/findings/compared/effectiveness-shown.ts';
import type { RunsEffectiveness } from '../../../src/questions/compare/index.ts';
import { judgedShares } from '../../../src/search/judge/index.ts';

// Goal: no policy is named the best that others may equal.

function said(...sets: readonly (readonly [set: string, policy: string, rivals: readonly string[]])[]): string {
  const found = sets.map(([set, policy, rivals]) => ({
    set, measure: 'reciprocalRank', policies: [{ policy }, { policy: 'worst' }],
    best: judgedShares.map(() => ({ policy, rivals })),
  }));
  return bestServed({ sets: found, gathered: [1, 2], oracles: [] } as unknown as RunsEffectiveness).join(' ');
}

const start = 'After 10 % of the pages, searchers are served best';

test('all that tie are named, in no order of theirs', () => {
  expect(said(['links', 'opic', []], ['titles', 'opic', []])).toBe(
    `${start} under opic, whatever is looked for. No other policy does as well, at 95 % confidence.`,
  );
  expect(said(['links', 'round-robin', ['opic', 'compass']], ['titles', 'opic', ['compass', 'round-robin']])).toBe(
    `${start} under compass, opic and round-robin, whatever is looked for. ` +
      'Those named together are within the noise of the best, at 95 % confidence.',
  );
  expect(said(['links', 'e', ['b', 'a', 'd', 'c']], ['titles', 'a', []])).toMatch(
    /: under a, b and 3 others for .*; under a for titles\. Those named together/,
  );
});
