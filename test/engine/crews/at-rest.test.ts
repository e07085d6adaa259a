import { beforeAll, describe, expect, test } from 'vitest';
import {
  partitionHosts, RunControl, runResult, settleSeeds, simulate, trueRanks, type ExactCheckpoint,
} from '../../../src/core/engine/index.ts';
import type { SuperstepRow } from '../../../src/core/events/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { bySuperstep, everyRow, replayHash, verifyRun, type RunResult } from '../../../src/core/measure/index.ts';
import { superstepBins } from '../../../src/views/report/bins.ts';
import type { ExperimentInput, SettledExperiment } from '../../../src/core/settings/index.ts';
import type { World } from '../../../src/core/world/index.ts';
import { docsWeb } from '../../docs-web.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: a superstep costs what the processors at work cost. Those at rest are neither visited nor recorded, and every
// figure is what it would be with a row for each of them.

const processors = 700;
const prepared = prepare(docsWeb);
const maxPages = isFullSweep ? 3000 : 1000;
const input: ExperimentInput = { processors, robots: 3, superstepMs: 500, maxPages, barrierUs: 1000 };
const crash = { crashSeconds: 4000, restartSeconds: 5 };

/** With how many times each World was asked, which it is in a superstep that its processor is visited in. */
async function run(
  more: ExperimentInput = {}, control?: RunControl,
): Promise<{ readonly result: RunResult<SettledExperiment>; readonly asked: readonly number[] }> {
  const asked = new Array<number>(processors).fill(0);
  const count = (world: World, processor: number): World => ({
    get nowUs() { return world.nowUs; },
    get politenessBreaches() { return world.politenessBreaches; },
    hostOf: (page) => world.hostOf(page),
    openDownloads: () => world.openDownloads(),
    start: (request) => { world.start(request); },
    next: (untilUs) => {
      asked[processor]++;
      return world.next(untilUs);
    },
  });
  const sinks = [{
    superstepBegins: (superstep: number) => { if (superstep === 7) control?.setRobots(5); },
  }];
  const result = await simulate(prepared, { ...input, ...more }, { makeWorld: count, control, sinks });
  return { result, asked };
}

const cases: [string, ExperimentInput, boolean][] = [
  ['opic', {}, false],
  ['breadth-first, in the full sweep to the end', {
    policy: 'breadth-first', ...(isFullSweep && { maxPages: undefined }),
  }, false],
  ['with crashes', { network: crash, checkpointSupersteps: 5 }, false], ['with robots that change', {}, true],
];

describe.each(cases)('%s', (_, more, isSteered) => {
  let result: RunResult<SettledExperiment>;
  let asked: readonly number[];
  let all: SuperstepRow[];

  beforeAll(async () => {
    ({ result, asked } = await run(more, isSteered ? new RunControl() : undefined));
    all = [...everyRow(result.events, result.run.experiment)];
  });

  test('there are more processors than hosts at work, and many rows are left out', () => {
    const { events, run: { summary, experiment, changes } } = result;
    expect(docsWeb.hosts.count).toBeLessThan(processors);
    expect(all).toHaveLength(summary.supersteps * processors);
    expect(events.rows.length).toBeLessThan(0.75 * all.length);
    expect(bySuperstep(events.rows)).toHaveLength(summary.supersteps);
    verifyRun(docsWeb, { ...experiment, robots: 5 }, events, summary.ended);
    expect(changes?.length ?? 0).toBe(isSteered ? processors : 0);
  });

  test('a processor without hosts is visited as the run begins, is changed or rolled back, and never again', () => {
    const { run: { experiment, summary: { crashes, supersteps } } } = result;
    const { reachable } = settleSeeds(prepared, experiment);
    const owners = new Set(partitionHosts(prepared, experiment, reachable));
    const idle = asked.filter((_times, processor) => !owners.has(processor));
    expect(idle.length).toBeGreaterThan(processors / 4);
    // Once at the barrier of a superstep, once more to set its clock after a rest; at checkpoints too.
    const visits = more.network === undefined ? 3 : 3 + 2 * crashes.length + 2 * Math.ceil(supersteps / 5);
    expect(Math.max(...idle)).toBeLessThanOrEqual(visits + (isSteered ? 2 : 0));
  });

  test('with its rows filled in, each superstep accounts for the time of all robots', () => {
    let beganUs = 0;
    for (const rows of bySuperstep(all)) {
      const [{ superstep, barrierUs }] = rows;
      expect(rows.map(({ processor }) => processor)).toEqual([...rows.keys()]);
      const robotUs = rows.reduce((sum, row) => sum + row.busyUs + row.stalledUs + row.noJobUs + row.barrierWaitUs, 0);
      const robots = isSteered && superstep >= 7 ? 5 : 3;
      expect(robotUs, `superstep ${superstep}`).toBe(processors * robots * (barrierUs - beganUs));
      beganUs = barrierUs;
    }
  });

  test('a record with a row for each processor, as older ones are, gives the same figures', () => {
    const { run: { experiment, summary }, events } = result;
    const dense = { ...events, rows: all };
    const { reachable } = settleSeeds(prepared, experiment);
    const again = runResult(prepared, experiment, {
      events: dense, ended: summary.ended, ranks: trueRanks(prepared), reachable,
      processorOfHost: partitionHosts(prepared, experiment, reachable),
      origins: { superstepLimit: summary.superstepLimitOrigin, pending: summary.pendingTarget.origin },
    });
    expect(again.run.summary).toEqual(summary);
    expect(replayHash(dense)).toBe(result.run.replayHash);
    for (const bins of [7, 10_000])
      expect(superstepBins(dense, experiment, bins)).toEqual(superstepBins(events, experiment, bins));
    expect([...everyRow(dense, experiment)]).toEqual(all);
  });
});

test('the same pages in the same order as where each processor is asked in each superstep', async () => {
  // An exact checkpoint has clocks that are behind; going on from it is the same run.
  const { result: { run: { replayHash: hash }, events } } = await run();
  const taken: ExactCheckpoint[] = [];
  const whole = await simulate(prepared, input, {
    checkpoints: { isDue: (superstep) => superstep === 9, take: (checkpoint) => { taken.push(checkpoint); } },
  });
  expect(whole.run.replayHash).toBe(hash);
  const [from] = taken;
  expect(from.barrierUs).toBe(events.rows.find(({ superstep }) => superstep === 8)?.barrierUs);
  const gone = await simulate(prepared, input, { from });
  expect(gone.run.replayHash).toBe(hash);
  // What queues compare may differ: they are built anew.
  const figures = ({ run: { summary: { quality, robots, communication, pagesPerProcessor, limits } } }: RunResult) =>
    ({ quality, robots, communication, pagesPerProcessor, limits });
  expect(figures(gone)).toEqual(figures(whole));
});
