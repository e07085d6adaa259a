import { describe, expect, test } from 'vitest';
import { type ExperimentInput, type SettledExperiment } from '../../../src/core/settings/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { verifyRun, type RunResult } from '../../../src/core/measure/index.ts';
import type { Visit } from '../../../src/core/simulation/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { docsWeb as graph, docsWebPrepared, docsWebRanks as ranks } from '../../docs-web.ts';

// Goal: a crawl over a network with faults comes to its end, is polite by the network's own log, and meets the network
// that its seed gives and no other.

const share = isFullSweep ? 1 : 0.5;

interface Watched {
  readonly result: RunResult<SettledExperiment>;
  readonly visits: (Visit & { readonly processor: number })[];
}

async function watched(input: ExperimentInput): Promise<Watched> {
  const visits: Watched['visits'] = [];
  const result = await simulate(docsWebPrepared, input, {
    ranks,
    makeWorld: (world, processor) => {
      world.onVisit = (visit) => visits.push({ processor, ...visit });
      return world;
    },
  });
  verifyRun(graph, result.run.experiment, result.events, result.run.summary.ended, result.hostsGivenUp);
  return { result, visits };
}

/** Visits of a host that came too early after the one before, or while it lasted; `more` is asked for on top. */
function breaches(visits: Watched['visits'], politenessUs: number, areWaitsKept: boolean, more = 0): number {
  const last = new Map<number, Visit>();
  let found = 0;
  for (const visit of [...visits].sort((a, b) => a.startedAtUs - b.startedAtUs || a.finishedAtUs - b.finishedAtUs)) {
    const before = last.get(visit.host);
    const restUs = Math.max(politenessUs, areWaitsKept ? (before?.waitUs ?? 0) : 0);
    if (before !== undefined && visit.startedAtUs < before.finishedAtUs + restUs + more) found++;
    last.set(visit.host, visit);
  }
  return found;
}

describe('politeness by the network\'s own log', () => {
  test.each<[string, ExperimentInput]>([
    ['hostile', { network: { preset: 'hostile' }, maxPages: 2500 * share }],
    [
      'web, with many robots',
      { network: { preset: 'web' }, robots: 64, policy: 'breadth-first', maxPages: 4000 * share },
    ],
    [
      'Crawl-delays at every host',
      { network: { robotsTxtShare: 1, crawlDelayShare: 1, crawlDelaySeconds: 3 }, maxPages: 2000 * share },
    ],
  ])('%s', async (_, input) => {
    const { result, visits } = await watched(input);
    const { pagesFetched, pagesFailed, outcomesRetried, failuresByKind } = result.run.summary;
    expect(visits.filter(({ kind }) => kind === 'fetched').length).toBeGreaterThanOrEqual(pagesFetched);
    const requests = pagesFetched + pagesFailed + outcomesRetried - (failuresByKind['robotsDenied'] ?? 0);
    expect(visits.length).toBeGreaterThanOrEqual(requests);
    expect(visits.some(({ waitUs }) => waitUs > 1e6)).toBe(true);
    expect(breaches(visits, 1e6, true)).toBe(0);
    // The check can fail.
    expect(breaches(visits, 1e6, true, 1)).toBeGreaterThan(0);
  });

  test('hostile, with crashes: pauses that were asked for may be forgotten, the delay is not', async () => {
    const { result, visits } = await watched({ network: { preset: 'hostile', crashSeconds: 500 }, maxPages: 1500 });
    expect(result.run.summary.crashes.length).toBeGreaterThan(2);
    expect(breaches(visits, 1e6, false)).toBe(0);
  });
});

describe('two crawls meet the same network', () => {
  // Windows of time strike at moments that differ from crawl to crawl; all else belongs to page and attempt.
  const network = { preset: 'hostile', downShare: 0, slowShare: 0 } as const;
  const kindsOf = async (input: ExperimentInput): Promise<Map<number, string>> => {
    const { visits } = await watched({ network, maxPages: 2500, ...input });
    const kinds = new Map<number, string>();
    for (const { page, kind } of visits)
      if (kind !== 'robotsFetched') kinds.set(page, `${kinds.get(page) ?? ''} ${kind}`);
    return kinds;
  };

  test('whatever policy, processors, robots and bandwidth', async () => {
    const first = await kindsOf({});
    const inputs: ExperimentInput[] = [
      { policy: 'random', seed: 1 }, { politenessMs: 10, superstepLimit: 5 }, { processors: 3, robots: 9 },
    ];
    for (const input of sampled(inputs, 2)) {
      const other = await kindsOf(input);
      const both = [...first.keys()].filter((page) => other.has(page));
      expect(both.length).toBeGreaterThan(1000);
      // A page may be between two tries when a crawl ends.
      const differs = (one = '', another = ''): boolean => !one.startsWith(another) && !another.startsWith(one);
      expect(both.filter((page) => differs(first.get(page), other.get(page)))).toEqual([]);
    }
    const elsewhere = await kindsOf({ seed: 2 });
    expect(
      [...first.keys()].filter((page) => elsewhere.has(page) && elsewhere.get(page) !== first.get(page)).length,
    ).toBeGreaterThan(100);
  });
});

describe('crawls end', () => {
  test.each<[string, ExperimentInput]>([
    ['every host down for ever', { network: { downShare: 1 }, maxBackoffMs: 5000 }],
    ['every attempt timed out', { network: { timeoutShare: 1 } }],
    [
      'every attempt refused, at once, without back-off',
      { network: { refusedShare: 1, latencyMs: 0 }, backoffMs: 0, politenessMs: 0, retries: 50 },
    ],
    ['every robot hung', { network: { hangShare: 1, hangSeconds: 1e3 }, maxSeconds: 1e6 }],
  ])('%s', async (_, input) => {
    const { result: { run, events } } = await watched({ hostPatienceMs: 0, ...input });
    const seeds = run.experiment.seedPages.length;
    expect(run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 0, pagesFailed: seeds });
    expect(events.failures).toHaveLength(seeds * (1 + (input.retries ?? 3)));
  });

  test.each<[string, ExperimentInput]>([
    ['every page missing', { network: { notFoundShare: 1 } }],
    ['every page denied', { network: { robotsTxtShare: 1, deniedShare: 1 } }],
  ])('%s but the seed pages', async (_, input) => {
    const { result: { run, events } } = await watched(input);
    const { seedPages } = run.experiment;
    expect([...events.order].sort((a, b) => a - b)).toEqual(seedPages);
    const linked = new Set(
      seedPages.flatMap((page) => [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])]),
    );
    for (const page of seedPages) linked.delete(page);
    expect(run.summary).toMatchObject({ ended: 'frontier dry', pagesFailed: linked.size });
  });

  test('a host that is down for long holds up its own pages, not the crawl; back-off stays below its most', async () => {
    const maxPages = 4000 * share;
    const calm = await watched({ maxPages });
    const { result, visits } = await watched({
      network: { downShare: 0.2, downSeconds: 3600 }, maxPages, retries: 1000, maxBackoffMs: 20_000,
    });
    expect(result.run.summary).toMatchObject({ pagesFetched: maxPages, pagesFailed: 0 });
    expect(visits.filter(({ kind }) => kind === 'refused').length).toBeGreaterThan(100);
    expect(result.run.summary.virtualSeconds).toBeLessThan(4 * calm.result.run.summary.virtualSeconds);
    const last = new Map<number, number>();
    for (const { host, kind, startedAtUs, finishedAtUs } of visits) {
      // The longest pause, and the supersteps for which a robot may have been busy.
      if (kind === 'refused' && last.has(host)) expect(startedAtUs - (last.get(host) ?? 0)).toBeLessThan(20e6 + 30e6);
      if (kind === 'refused') last.set(host, finishedAtUs);
      else last.delete(host);
    }
  });

  test.each(sampled([1, 7, 500, 3000], 2))('--max-pages %d is exact to the page', async (maxPages) => {
    for (const preset of ['web', 'hostile'] as const) {
      const { result: { run } } = await watched({ network: { preset }, maxPages });
      expect(run.summary).toMatchObject({ ended: 'page limit', pagesFetched: maxPages });
    }
  });
});

describe('presets', () => {
  test('what is given wins, and the settled experiment holds numbers and name', () => {
    const { network } = parseExperiment({ network: { preset: 'web', latencyMs: 7 } });
    expect(network).toMatchObject({ preset: 'web', latencyMs: 7, robotsTxtShare: 0.57, crashSeconds: 0 });
    expect(parseExperiment({ network })).toEqual(parseExperiment({ network: { preset: 'web', latencyMs: 7 } }));
    expect(parseExperiment({}).network).not.toHaveProperty('preset');
  });

  test.each<[unknown, RegExp]>([
    [{ preset: 'wbe' }, /network\.preset: /], [{ preset: 'toString' }, /network\.preset: /], [null, /network: /],
    [7, /network: /], [{ timeoutShare: 0.6, refusedShare: 0.5 }, /network\.timeoutShare: .*sum to at most 1, not 1\.1/],
    [{ preset: 'hostile', serverErrorShare: 0.95 }, /network\.serverErrorShare: .*sum/],
    [{ notFoundShare: 1.5 }, /network\.notFoundShare/], [{ latencyTailShare: 0.6 }, /latencyTailShare/],
    [{ slowFactor: 0.5 }, /slowFactor/], [{ latencyTailIndex: 0.5 }, /latencyTailIndex/],
    [{ timeoutMs: 0 }, /timeoutMs/], [{ downSeconds: 0 }, /downSeconds/],
  ])('refused: %j', (network, message) => {
    expect(() => parseExperiment({ network } as ExperimentInput)).toThrow(message);
  });
});
