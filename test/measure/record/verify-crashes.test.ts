import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { verifyRun, type Failure, type SuperstepRow } from '../../../src/core/measure/index.ts';
import { assertCrawls, crawlCases } from '../../engine/random-crawls.ts';

// Goal: the check of a record passes every crawl that processors crashed in, whatever else failed; and what a crash
// lost excuses nothing.

const share = fc.constantFrom(0, 0, 0.05, 0.3);
const cases = fc.record({
  at: crawlCases({ pages: [2, 60], hosts: [1, 12], seedPages: [1, 3] }),
  input: fc.record({
    seed: fc.nat(1e6), policy: fc.constantFrom('opic', 'breadth-first', 'random'),
    processors: fc.integer({ min: 1, max: 4 }), robots: fc.integer({ min: 1, max: 3 }),
    checkpointSupersteps: fc.constantFrom(0, 1, 3, 10),
    superstepMs: fc.constantFrom(0, 500, 5000), superstepLimit: fc.constantFrom(undefined, 1, 4),
    barrierUs: fc.constantFrom(1000, 1_000_000), politenessMs: fc.constantFrom(0, 1000),
    retries: fc.constantFrom(0, 2), backoffMs: fc.constantFrom(0, 500),
    hostPatienceMs: fc.constantFrom(0, 3000, 60_000), deniedCost: fc.constantFrom('none' as const, 'delay' as const),
    maxPages: fc.constantFrom(undefined, undefined, 20), maxSeconds: fc.constant(1000),
  }),
  network: fc.record({
    crashSeconds: fc.constantFrom(5, 20, 100), restartSeconds: fc.constantFrom(0, 2, 30),
    downShare: share, downSeconds: fc.constantFrom(5, 60), timeoutShare: share, refusedShare: share,
    serverErrorShare: share, notFoundShare: share, robotsTxtShare: fc.constantFrom(0, 0.5, 1), deniedShare: share,
    slowShare: share, hostsPerAddress: fc.constantFrom(1, 3), addressDelayMs: fc.constantFrom(0, 500),
  }),
});

test('every crawl with crashes is verified', async () => {
  let [lost, dry] = [0, 0];
  await assertCrawls('verify-crashes.test.ts', cases, 320, async ({ at, input, network }) => {
    const { seedPages, graph } = at;
    const { run, events, hostsGivenUp } = await simulate(graph, { ...input, seedPages, network });
    verifyRun(graph, run.experiment, events, run.summary.ended, hostsGivenUp);
    lost += events.failures.filter(({ kind }) => kind === 'lost').length;
    if (run.summary.ended === 'frontier dry' && events.crashes.length > 0) dry++;
  });
  expect(lost).toBeGreaterThan(100);
  expect(dry).toBeGreaterThan(5);
});

describe('a record of a crash at 20 s', async () => {
  // Page 0 links page 1, which links page 2; each has a host of its own.
  const graph = await openGraph('chain');
  const settings = { processors: 1, robots: 3, politenessMs: 0, deniedCost: 'none', seedPages: [0] } as const;
  const outcome = (page: number, kind: string, startedUs: number, finishedUs: number): Failure => (
    { position: 0, processor: 0, page, kind, startedUs, finishedUs }
  );
  const check = (ended: 'frontier dry' | 'time limit', ...outcomes: readonly Failure[]) => (): void => {
    const fetched = outcomes.filter(({ kind }) => kind === 'fetched');
    const row = { pages: fetched.length, failures: 0, drained: 0, denied: 0, superstepLimit: 9, barrierUs: 99 };
    verifyRun(graph, settings, {
      order: Uint32Array.from(fetched, ({ page }) => page), processors: new Uint32Array(fetched.length),
      times: Float64Array.from(fetched.flatMap(({ startedUs, finishedUs }) => [startedUs, finishedUs])),
      failures: outcomes.filter(({ kind }) => kind !== 'fetched'), rows: [row as SuperstepRow],
      crashes: [{ superstep: 0, processor: 0, atUs: 18, resumedUs: 20 }], changes: [],
    }, ended);
  };
  const again = outcome(0, 'fetched', 20, 30);

  test('links of a page that was lost count until then', () => {
    check('time limit', again, outcome(0, 'lost', 0, 5), outcome(1, 'lost', 5, 9), outcome(2, 'timeout', 9, 12))();
  });

  test('and not after it', () => {
    const lost = [outcome(0, 'lost', 0, 5), outcome(1, 'lost', 5, 9)];
    const tooEarly = /page [12] was started before a link to it was known/;
    expect(check('time limit', again, outcome(1, 'fetched', 25, 31), ...lost)).toThrow(tooEarly);
    expect(check('time limit', again, outcome(2, 'fetched', 25, 31), ...lost)).toThrow(tooEarly);
  });

  test('a page that is known again, and was only lost, was left out', () => {
    const lost = [outcome(0, 'lost', 0, 5), outcome(1, 'lost', 5, 9)];
    expect(check('frontier dry', again, ...lost)).toThrow(/page 1 was known and never fetched/);
    check('time limit', again, ...lost)();
    check('frontier dry', outcome(0, 'notFound', 20, 30), ...lost)();
  });
});
