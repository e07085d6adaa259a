import { describe, expect, test } from 'vitest';
import { findingsInWords, limitKinds } from '../../src/core/measure/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';
import { isAsBuilt, limitCase, limitCaseText, limitedWebs } from './limits.ts';

describe('what limits a crawl is named, and no other thing', () => {
  test.each(limitedWebs().map((web) => [web.name, web] as const))('%s', async (_, web) => {
    const done = await limitCase(web);
    expect(isAsBuilt(done), limitCaseText(done)).toBe(true);
    for (const kind of limitKinds) {
      if (done.built.includes(kind)) expect(done.gains[kind], kind).toBeGreaterThanOrEqual(0.2);
      else expect(done.gains[kind], kind).toBeLessThan(0.05);
    }
  });
});

test.each([1, 20])('a crawl that its page limit cuts after %i pages lacks neither pages nor pending jobs', async (maxPages) => {
  const { run: { summary, experiment } } = await simulate(docsWebPrepared, { maxPages, statistics: 'off' }, { ranks });
  const { frontier, pendingJobs } = summary.limits.shares;
  expect(pendingJobs).toBe(0);
  if (maxPages > 1) return;
  expect(frontier).toBe(0);
  expect(findingsInWords(summary, experiment)).toMatch(/^Its page limit \(--max-pages\) ended this crawl before/);
});
