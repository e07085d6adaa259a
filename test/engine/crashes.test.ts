import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { buildGraph, hostsFromNames } from '../../src/graphs/graph/index.ts';
import { Crashes } from '../../src/core/simulation/index.ts';
import { DrawStream } from '../../src/base/index.ts';

// Goal: a processor crashes as often as it is asked for, whatever it does at that moment: at work, waiting for the
// others, in the price of the barrier, or coming back from another crash.

const [pages, hosts, processors] = [60, 9, 4];
const draws = new DrawStream(13, 'crashes test');
const graph = buildGraph({
  name: 'sixty', pages,
  sources: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 0) % pages),
  targets: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 1) % pages),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % hosts}.example.org`)),
});

function crawled(input: ExperimentInput): ReturnType<typeof simulate> {
  const usual = { processors, robots: 2, superstepLimit: 1, seedPages: [0, 1, 2], checkpointSupersteps: 1, seed: 5 };
  return simulate(graph, { ...usual, ...input });
}

/** Every moment until `untilUs` at which a processor crashes, in order. */
function moments(crashSeconds: number, untilUs: number): { processor: number; atUs: number }[] {
  const crashes = new Crashes(1e6 * crashSeconds, 5);
  return Array.from({ length: processors }, (_, processor) => {
    const own: { processor: number; atUs: number }[] = [];
    for (let atUs = 0; (atUs = crashes.nextUs(processor, atUs)) <= untilUs;) own.push({ processor, atUs });
    return own;
  }).flat().sort((a, b) => a.atUs - b.atUs || a.processor - b.processor);
}

describe('every crash until the end of the crawl is met', () => {
  test.each<[string, number, ExperimentInput]>([
    ['at work', 4, { network: { restartSeconds: 0 } }],
    ['in barriers of 500 s', 3000, { barrierUs: 5e8, network: { restartSeconds: 0 } }],
    ['in the exchange of pairs and messages', 1500, { pairUs: 5e7, messageUs: 1e7, network: { restartSeconds: 0 } }],
    ['in restarts', 4, { network: { restartSeconds: 2 } }],
    ['in all of them', 200, { barrierUs: 2e7, pairUs: 1e6, network: { restartSeconds: 60 } }],
  ])('%s', async (_, crashSeconds, input) => {
    const { events, run: { summary } } = await crawled({ ...input, network: { ...input.network, crashSeconds } });
    expect(summary.ended).toBe('frontier dry');
    const { barrierUs } = events.rows[events.rows.length - 1];
    expect(events.crashes.length).toBeGreaterThan(10);
    expect(events.crashes.map(({ processor, atUs }) => ({ processor, atUs }))).toEqual(
      moments(crashSeconds, barrierUs),
    );
    expect(new Set(events.order).size).toBe(summary.reachablePages);
  });

  test('a crawl whose only link is in an outbox when it is rolled back goes on', async () => {
    // A chain of pages whose downloads end in barriers: at the next checkpoint, all that is left is a link to be sent.
    const length = 12;
    const chain = buildGraph({
      name: 'chain', pages: length, sources: Uint32Array.from({ length: length - 1 }, (_, page) => page),
      targets: Uint32Array.from({ length: length - 1 }, (_, page) => page + 1),
      hosts: hostsFromNames(Array.from({ length }, (_, page) => `h${page}.example.org`)),
    });
    let crashes = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { events, run: { summary } } = await simulate(chain, {
        processors, seedPages: [0], checkpointSupersteps: 1, superstepMs: 100, barrierUs: 5e6, seed,
        network: { crashSeconds: 40, restartSeconds: 0 },
      });
      crashes += events.crashes.length;
      expect([seed, summary.ended, new Set(events.order).size]).toEqual([seed, 'frontier dry', length]);
    }
    expect(crashes).toBeGreaterThan(20);
  });

  test('the superstep whose barrier a crash comes before is lost, and the next begins when all are back', async () => {
    const network = { crashSeconds: 3000, restartSeconds: 0 };
    const { events: { rows, crashes } } = await crawled({ barrierUs: 5e8, network });
    expect(crashes.length).toBeGreaterThan(10);
    for (const { superstep, atUs, resumedUs } of crashes) {
      expect(resumedUs).toBe(atUs + 1);
      for (const row of rows.filter((one) => one.superstep === superstep)) {
        expect([row.barrierUs, row.pages]).toEqual([resumedUs, row.drained]);
      }
    }
  });

  test('crashes in a restart have it begin anew: all go on a whole restart after the last', async () => {
    const { events: { crashes } } = await crawled({ network: { crashSeconds: 4, restartSeconds: 2 } });
    const bySuperstep = new Map(crashes.map(({ superstep }) =>
      [superstep, crashes.filter((one) => one.superstep === superstep)]));
    expect(Math.max(...[...bySuperstep.values()].map((met) => met.length))).toBeGreaterThan(1);
    for (const met of bySuperstep.values()) {
      for (const { resumedUs } of met) expect(resumedUs).toBeGreaterThanOrEqual(met[met.length - 1].atUs + 2e6);
    }
  });

  test('nobody waits for a restart for ever', async () => {
    const { events, run: { summary } } = await crawled({ network: { crashSeconds: 1, restartSeconds: 1000 } });
    expect([summary.ended, events.crashes.length]).toEqual(['no progress', 100]);
    const limited = await crawled({ maxSeconds: 20, network: { crashSeconds: 1, restartSeconds: 30 } });
    expect(limited.run.summary.ended).toBe('time limit');
    expect(limited.events.crashes.length).toBeLessThan(100);
  });
});
